import { describe } from 'node:test';
import { noBrowser } from '../browser.ts';
import { handOf } from '../hand.ts';
import { createStage } from '../stage.ts';
import { nodeOf, settles, waitFor } from '../walk.ts';

const COLUMNS = 40;
const ROWS = 25;

interface Place {
  x: number;
  y: number;
}
interface Node extends Place {
  name: string;
}

/** A thousand nodes. How fast it is, `npm run bench -- web` measures; here it is used. */
describe('a large lab', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('hour-large');
  const { step } = stage;
  let lab = '';

  step('opens in 1 gesture, all of it in sight', async (page) => {
    lab = await stage.lab('large');
    const steps = Array.from({ length: COLUMNS * ROWS }, (_, n) => ({
      ...{ action: 'create', type: 'node' },
      record: {
        ...{ name: `N${n}`, node_type: 'ethernet_hub', compute_id: 'local' },
        ...{ x: (n % COLUMNS) * 150, y: Math.floor(n / COLUMNS) * 150 },
      },
    }));
    await stage.send('POST', `${lab}/batch`, { steps });
    await page.goto(stage.server.url);
    const hand = handOf(page);
    await hand.click(page.getByRole('link', { name: 'Show large' }));
    await waitFor(async () => (await page.getByTestId('counts').innerText()).includes('1000'));
    await page.locator('.map.far').waitFor();
    hand.took(1);
  });

  step('leads to a node by its name in 3 gestures', async (page) => {
    const hand = handOf(page);
    await hand.press('/');
    await page.getByRole('dialog', { name: 'Find a node' }).waitFor();
    await hand.type('N537');
    await hand.press('Enter');
    await nodeOf(page, 'N537').waitFor();
    // What is around it is there as well, and the picture of it is gone.
    await nodeOf(page, 'N538').waitFor();
    await page.locator('.far-layer').waitFor({ state: 'detached' });
    hand.took(3);
  });

  step('is selected and moved as a whole in 2 gestures', async (page) => {
    const xOf = async (): Promise<number[]> => (await stage.read<Node[]>(`${lab}/nodes`)).map(({ x }) => x);
    const before = await xOf();
    const hand = handOf(page);
    await hand.press('Control+a');
    await page.getByRole('complementary', { name: '1,000 nodes' }).waitFor();
    await hand.press('Shift+ArrowRight');
    await waitFor(async () => (await xOf()).every((x, n) => x > (before[n] ?? 0)));
    hand.took(2);
    await page.getByRole('button', { name: /^Undo: move .* \(Ctrl\+Z\)$/, disabled: false }).waitFor();
    await page.keyboard.press('Control+z');
    await waitFor(async () => (await xOf()).join() === before.join());
  });

  step('is seen as a whole again in 1 gesture', async (page) => {
    const hand = handOf(page);
    await page.keyboard.press('Escape');
    await hand.press('0');
    await page.locator('.map.far').waitFor();
    hand.took(1);
    await settles(() => page.locator('.notice.error').count(), 0);
  });

  step('is dragged as a whole, as a picture of its own', async (page) => {
    const placesOf = async (): Promise<string> =>
      (await stage.read<Node[]>(`${lab}/nodes`)).map(({ x, y }) => `${x} ${y}`).join();
    const before = await placesOf();
    await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined)))');
    await page.keyboard.press('Control+a');
    await page.getByRole('complementary', { name: '1,000 nodes' }).waitFor();
    let at: Place = { x: 0, y: 0 };
    // The map may still be on its way to where everything is seen.
    await waitFor(async () => {
      at = await page.evaluate<Place>(`(() => {
        const box = document.querySelector('.react-flow').getBoundingClientRect();
        const { a, e, f } = new DOMMatrix(getComputedStyle(document.querySelector('.react-flow__viewport')).transform);
        return { x: box.left + e + (150 * 20 + 20) * a, y: box.top + f + (150 * 12 + 20) * a };
      })()`);
      await page.mouse.move(at.x, at.y);
      return page.getByTitle('N500', { exact: true }).isVisible();
    });
    await page.mouse.down();
    await page.mouse.move(at.x + 60, at.y + 30, { steps: 5 });
    await waitFor(async () => (await page.locator('.far-layer').count()) === 2);
    await page.mouse.up();
    await waitFor(async () => (await page.locator('.far-layer').count()) === 1);
    await waitFor(async () => (await placesOf()) !== before);
    await page.getByRole('button', { name: /^Undo: move .* \(Ctrl\+Z\)$/, disabled: false }).waitFor();
    await page.keyboard.press('Control+z');
    await waitFor(async () => (await placesOf()) === before);
  });
});
