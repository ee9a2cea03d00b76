// A report in Debian's Chromium, from its file, with every attempt to reach a network refused.
import { createRequire } from 'node:module';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const require = createRequire(join(root, 'build/node/'));
const { chromium } = require('playwright-core');

/** Opens what `sample` prints (told `words`); `use(page, trouble)`, where `trouble` collects what
 * went wrong. */
export async function openPage(sample, { words = [], ...options }, use) {
  const folder = mkdtempSync(join(tmpdir(), 'squall-page-'));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    const file = join(folder, 'report.html');
    writeFileSync(file, execFileSync(sample, words, { maxBuffer: 1 << 26 }));
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
    const trouble = [];
    page.on('pageerror', (error) => trouble.push(String(error)));
    page.on('dialog', (dialog) => trouble.push(`dialog: ${dialog.message()}`) && dialog.dismiss());
    page.on('request', (request) => {
      if (!/^(file|data|blob):/.test(request.url())) trouble.push(`request: ${request.url()}`);
    });
    await page.goto(pathToFileURL(file).href);
    await page.getByRole('heading', { level: 2 }).waitFor();
    return await use(page, trouble);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}
