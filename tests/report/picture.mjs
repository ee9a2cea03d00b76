// picture.mjs REPORT_SAMPLE FOLDER: makes the pictures of the documents, for light and dark.
import { join } from 'node:path';
import { openPage } from './open_page.mjs';

const [sample, folder] = process.argv.slice(2);
for (const colorScheme of ['light', 'dark']) {
  await openPage(sample, { colorScheme, viewport: { width: 1280, height: 1000 } }, async (page) => {
    await page.locator('.timeline > li.lost').getByRole('button').click();
    await page.locator('#timeline').evaluate((heading) => heading.scrollIntoView());
    await page.mouse.wheel(0, 260);
    await page.waitForFunction(() => scrollY > 0);
    await page.screenshot({ path: join(folder, `report-${colorScheme}.png`) });
  });
}
