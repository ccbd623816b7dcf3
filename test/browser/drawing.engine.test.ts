import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { noBrowser } from './browser.ts';
import { createStage } from './stage.ts';
import { choose, waitFor } from './walk.ts';

interface Drawing {
  drawing_id: string;
  x: number;
  y: number;
  z: number;
  rotation: number;
  svg: string;
}
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const drag = async (page: Page, from: readonly [number, number], to: readonly [number, number]): Promise<void> => {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 3 });
  await page.mouse.move(...to, { steps: 3 });
  await page.mouse.up();
};

describe('drawing on the map', { skip: noBrowser, timeout: 180_000 }, () => {
  const stage = createStage('drawing');
  const { step } = stage;
  let lab = '';
  const drawings = (): Promise<Drawing[]> => stage.read(`${lab}/drawings`);
  const last = async (): Promise<Drawing> => (await drawings()).at(-1) ?? assert.fail('there is no drawing');
  const bar = (page: Page) => page.getByRole('toolbar', { name: 'Drawing', exact: true });
  const pickTool = async (page: Page, name: string): Promise<void> => {
    await page.getByRole('button', { name: /^Add a drawing/ }).click();
    await choose(page, name);
    await page.getByRole('application', { name: /^Drag to draw/ }).waitFor();
  };
  const draw = async (page: Page, tool: string, to: readonly [number, number]): Promise<Drawing> => {
    const before = (await drawings()).length;
    await pickTool(page, tool);
    await drag(page, [400, 250], to);
    await waitFor(async () => (await drawings()).length === before + 1);
    await page.locator('.drawing-node.selected').waitFor();
    return last();
  };
  const remove = async (page: Page): Promise<void> => {
    const before = (await drawings()).length;
    await page.locator('.react-flow__node-drawing.selected').focus();
    await page.keyboard.press('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await waitFor(async () => (await drawings()).length === before - 1);
  };

  step('makes each shape by one drag, as large as the drag', async (page) => {
    lab = await stage.lab('drawings');
    // Something to be fitted, so that the map has the scale of the screen.
    await stage.send('POST', `${lab}/drawings`, {
      svg: '<svg width="1000" height="500"></svg>',
      x: 0,
      y: 0,
      z: -5,
      locked: true,
    });
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await page.locator('.react-flow__node-drawing').waitFor();
    for (const [tool, tag] of [
      ['Rectangle', '<rect'],
      ['Ellipse', '<ellipse'],
      ['Line', '<line'],
      ['Freehand', '<path'],
    ] as const) {
      const { svg } = await draw(page, tool, [600, 350]);
      assert.match(svg, new RegExp(tag));
      const seen = await page.locator('.drawing-node.selected img').boundingBox();
      assert.ok(
        seen !== null && Math.abs(seen.width - 200) < 8 && Math.abs(seen.height - 100) < 8,
        `${tool}: ${JSON.stringify(seen)}`,
      );
      await remove(page);
    }
  });

  step('resizes and turns by handles, and changes the look by the bar', async (page) => {
    const made = await draw(page, 'Rectangle', [600, 350]);
    const handle = page.locator('.draw-handle').nth(4);
    const box = await handle.boundingBox();
    assert.ok(box !== null);
    const corner = [box.x + box.width / 2, box.y + box.height / 2] as const;
    await drag(page, corner, [corner[0] + 100, corner[1] + 60]);
    await waitFor(async () => (await last()).svg !== made.svg);
    const wide = Number(/width="(\d+)"/.exec((await last()).svg)?.[1]);
    assert.ok(wide > Number(/width="(\d+)"/.exec(made.svg)?.[1]));
    // The handles follow what the server has taken.
    await waitFor(async () => ((await handle.boundingBox())?.x ?? 0) > box.x + 50);
    const turn = await page.locator('.draw-handle.turn').boundingBox();
    assert.ok(turn !== null);
    await drag(page, [turn.x + 6, turn.y + 6], [turn.x + 400, turn.y + 130]);
    await waitFor(async () => (await last()).rotation !== 0);
    await bar(page).getByRole('spinbutton', { name: 'Rotation' }).fill('0');
    await waitFor(async () => (await last()).rotation === 0);
    await bar(page).getByRole('combobox', { name: 'Line style' }).selectOption('Dashed');
    await bar(page).getByRole('spinbutton', { name: 'Line width' }).fill('6');
    await bar(page).getByLabel('Line', { exact: true }).fill('#ff0000');
    await bar(page).getByRole('slider', { name: 'Opacity' }).fill('50');
    await waitFor(async () => {
      const { svg } = await last();
      return ['stroke="#ff0000"', 'stroke-width="6"', 'stroke-dasharray="8 4"', 'fill-opacity="0.5"'].every((part) =>
        svg.includes(part),
      );
    });
    await bar(page).getByRole('button', { name: 'Bring to front' }).click();
    await waitFor(async () => (await last()).z > made.z);
    await stage.tab.screenshot('drawing-bar');
    await remove(page);
  });

  step('writes a text where it is clicked, and changes its letters', async (page) => {
    await pickTool(page, 'Text');
    await page.mouse.click(500, 300);
    const field = bar(page).getByRole('textbox', { name: 'Text' });
    await field.waitFor();
    await page.locator('.draw-bar textarea:focus').waitFor();
    await page.keyboard.type('two\nlines');
    await bar(page).getByRole('combobox', { name: 'Typeface' }).selectOption('Georgia');
    await bar(page).getByRole('spinbutton', { name: 'Text size' }).fill('30');
    await bar(page).getByRole('combobox', { name: 'Alignment' }).selectOption('Centred');
    await waitFor(async () => {
      const { svg } = await last();
      return ['>two<', '>lines<', 'Georgia', 'font-size="30"', 'text-anchor="middle"'].every((part) =>
        svg.includes(part),
      );
    });
    await stage.tab.screenshot('drawing-text');
    await remove(page);
  });

  step('takes a picture that is dropped, and nothing that runs', async (page) => {
    const drop = async (name: string, type: string, base64: string): Promise<Drawing> => {
      const before = (await drawings()).length;
      await page.evaluate(`(() => {
        const bytes = Uint8Array.from(atob('${base64}'), (c) => c.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([bytes], '${name}', { type: '${type}' }));
        document.querySelector('.react-flow__pane').dispatchEvent(
          new DragEvent('drop', { dataTransfer: data, clientX: 500, clientY: 300, bubbles: true, cancelable: true }));
      })()`);
      await waitFor(async () => (await drawings()).length === before + 1);
      return last();
    };
    assert.match(
      (await drop('a.png', 'image/png', PNG)).svg,
      /<image width="1" height="1" xlink:href="data:image\/png;base64,/,
    );
    const bad =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="x()"><script>x()</script><rect width="9" height="9"/></svg>';
    const { svg } = await drop('b.svg', 'image/svg+xml', Buffer.from(bad).toString('base64'));
    assert.match(svg, /<rect/);
    assert.doesNotMatch(svg, /script|onload/);
  });
});
