import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import './style.css';
import { App } from './app.jsx';
import { inflate } from './timeline.js';

const data = JSON.parse(document.getElementById('squall-data').textContent);
const app = document.getElementById('app');
inflate(data.report).then(
  (report) => {
    report.scenarios.forEach((scenario, i) => {
      scenario.timeline = data.timelines[i];
    });
    render(<App report={report} />, app);
  },
  (error) => {
    app.textContent = `This report's data can't be read: ${error}`;
  },
);
