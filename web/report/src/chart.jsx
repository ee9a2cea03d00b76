import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { duration } from './format.js';

/** How long each scenario took, in order. The list beside it says the same in words. */
export function DurationChart({ scenarios }) {
  const box = useRef(null);
  useEffect(() => {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    const axis = {
      stroke: colour('--faint'),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
      font: '11px system-ui',
    };
    const draw = () => {
      const bars = uPlot.paths.bars({ size: [0.7, 28] });
      const series = (test, stroke) => ({
        data: scenarios.map((each) => (test(each) ? each.durationMs : null)),
        stroke,
        fill: stroke,
        paths: bars,
        points: { show: false },
      });
      const passed = series((each) => each.verdict === 'passed', colour('--passed'));
      const other = series((each) => each.verdict !== 'passed', colour('--failed'));
      return new uPlot(
        {
          width: box.current.clientWidth,
          height: 120,
          legend: { show: false },
          cursor: { show: false },
          scales: {
            x: { time: false, range: [0.4, Math.max(scenarios.length, 12) + 0.6] },
            y: { range: (_, __, max) => [0, (max || 1) * 1.1] },
          },
          axes: [
            {
              ...axis,
              size: 22,
              values: (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? tick : '')),
            },
            { ...axis, size: 64, values: (_, ticks) => ticks.map((tick) => duration(tick)) },
          ],
          series: [{}, passed, other],
        },
        [scenarios.map((_, i) => i + 1), passed.data, other.data],
        box.current,
      );
    };
    let plot = draw();
    const redraw = () => {
      plot.destroy();
      plot = draw();
    };
    const watch = new ResizeObserver(() => plot.width !== box.current.clientWidth && redraw());
    watch.observe(box.current);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', redraw);
    return () => {
      watch.disconnect();
      scheme.removeEventListener('change', redraw);
      plot.destroy();
    };
  }, [scenarios]);
  return (
    <div
      class="chart"
      ref={box}
      role="img"
      aria-label="Duration of each scenario, in the order of the run"
    />
  );
}
