// page_test.mjs REPORT_SAMPLE: what a person finds in the HTML report, with and without a mouse.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage } from './open_page.mjs';

const sample = process.argv[2];
const inPage = (name, options, body) =>
  test(name, () =>
    openPage(sample, options, async (page, trouble) => {
      await body(page);
      assert.deepEqual(trouble, []);
    }),
  );

/** The outline of what is on the page: roles, names and levels, not pixels. */
const outline = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('h1, h2, h3, nav, main, [role], table, button, input')].map(
      (e) =>
        `${e.getAttribute('role') ?? e.tagName.toLowerCase()}: ${(
          e.getAttribute('aria-label') ?? e.textContent
        )
          .trim()
          .slice(0, 40)}`,
    ),
  );

inPage('has the structure that its reader knows', {}, async (page) => {
  const found = await outline(page);
  for (const part of [
    'h1: Squall report',
    'nav: Scenarios',
    'h2: a lost response must not book twice',
    'h3: Steps',
    'h3: On the wire',
    'button: 1 failed',
    'button: 1 inconclusive',
    'button: 1 passed',
    'img: Duration of each scenario, in the order ',
  ]) {
    assert.ok(found.includes(part), `${part} in ${found.join('\n')}`);
  }
  assert.equal(await page.locator('.timeline > li.message').count(), 10);
  assert.equal(await page.locator('.timeline > li.lost').count(), 1);
});

inPage('unfolds a message to what was sent and what arrived', {}, async (page) => {
  const lost = page.locator('.timeline > li.lost').getByRole('button');
  assert.equal(await lost.getAttribute('aria-expanded'), 'false');
  await lost.click();
  assert.equal(await lost.getAttribute('aria-expanded'), 'true');
  assert.match(await page.getByLabel('What was sent').textContent(), /A1-1/);
  assert.equal(await page.getByLabel('What arrived').textContent(), '(nothing)');
});

inPage('takes nothing of others for markup', {}, async (page) => {
  for (const message of await page.locator('.timeline .message button').all())
    await message.click();
  const payloads = await page.getByLabel('Payload').allTextContents();
  assert.ok(payloads.some((text) => text.includes('</script><script>document.title')));
  assert.match(await page.title(), /Squall report/);
  assert.equal(await page.locator('#app img[src], #app script').count(), 0);
  await page.locator('.scenarios button', { hasText: '<b>a rule that never struck</b>' }).click();
  assert.equal(await page.locator('#app b').count(), 0);
  assert.match(await page.getByRole('heading', { level: 2 }).textContent(), /^<b>/);
});

inPage('runs nothing, wherever markup and script stand', { words: ['hostile'] }, async (page) => {
  const listed = page.locator('.scenarios button');
  assert.equal(await listed.count(), 3);
  for (const scenario of await listed.all()) {
    await scenario.click();
    assert.match(await page.getByRole('heading', { level: 2 }).textContent(), /<img src=x onerror/);
    for (const message of await page.locator('.timeline .message button').all())
      await message.click();
  }
  await listed.first().click();
  const finding = page.locator('.timeline .note', { hasText: 'protocol_ping_liveness' });
  assert.match(await finding.textContent(), /<img src=x onerror/);
  await page.getByRole('searchbox').fill('</script><script>');
  assert.equal(await listed.count(), 3);
  assert.equal(await page.locator('#app img[src], #app script').count(), 0);
  assert.match(await page.title(), /Squall report/);
});

inPage('filters by verdict and by words', {}, async (page) => {
  const listed = page.locator('.scenarios li');
  assert.equal(await listed.count(), 3);
  await page.getByRole('button', { name: '1 failed' }).click();
  assert.equal(await listed.count(), 2);
  await page.getByRole('searchbox').fill('slow');
  assert.equal(await listed.count(), 1);
  await page.getByRole('searchbox').fill('no such');
  assert.equal(await page.getByRole('status').textContent(), 'No scenario matches.');
});

inPage('needs no mouse', {}, async (page) => {
  await page.locator('.scenarios button').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.equal(
    await page.getByRole('heading', { level: 2 }).textContent(),
    'a slow answer is waited for',
  );
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Space');
  for (let i = 0; i < 12; ++i) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement.closest('.timeline') !== null)) break;
  }
  await page.keyboard.press('Enter');
  assert.equal(
    await page.evaluate(() => document.activeElement.getAttribute('aria-expanded')),
    'true',
  );
  assert.notEqual(
    await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle),
    'none',
  );
});

inPage('gives everything that can be used a name', {}, async (page) => {
  const nameless = await page.evaluate(
    () =>
      [...document.querySelectorAll('button, input, [role=img], [tabindex]')].filter(
        (e) =>
          !(
            e.textContent.trim() ||
            e.getAttribute('aria-label') ||
            e.labels?.[0]?.textContent.trim()
          ),
      ).length,
  );
  assert.equal(nameless, 0);
});

/** The contrast of text and background, as WCAG 2 computes it. */
const contrast = (page, selector) =>
  page.evaluate((chosen) => {
    const luminance = (colour) => {
      const [r, g, b] = colour
        .match(/[\d.]+/g)
        .map((part) => part / 255)
        .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const element = document.querySelector(chosen);
    let behind = element;
    while (getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)')
      behind = behind.parentElement;
    const [a, b] = [getComputedStyle(element).color, getComputedStyle(behind).backgroundColor]
      .map(luminance)
      .sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  }, selector);

for (const colorScheme of ['light', 'dark']) {
  inPage(`can be read in ${colorScheme}`, { colorScheme }, async (page) => {
    for (const selector of [
      'h2',
      'main .faint',
      '.verdict.failed',
      '.verdict.passed',
      '.verdict.inconclusive',
      '.tag.hit',
      '.detail',
      '.at',
      '.find input',
    ]) {
      const found = await contrast(page, selector);
      assert.ok(found >= 4.5, `${selector}: ${found.toFixed(2)}`);
    }
  });
}

inPage('moves nothing once it is drawn', {}, async (page) => {
  const shift = await page.evaluate(
    () =>
      new Promise((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const each of list.getEntries()) sum += each.value;
        }).observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      }),
  );
  assert.ok(shift < 0.01, `shift ${shift}`);
});
