import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { noBrowser } from './browser.ts';
import { look } from './look.ts';
import { withResolvers } from '../../src/common/promises.ts';
import { createStage } from './stage.ts';
import { choose, nodeOf, settles, waitFor } from './walk.ts';

interface Node {
  node_id: string;
  name: string;
  x: number;
  y: number;
  width: number;
  height: number;
  label: { x: number | null; y: number };
}
interface Link {
  nodes: { node_id: string; label: { x: number; y: number } }[];
}

/** As few presses and drags as the issue asks for. */
const MOST_GESTURES = 12;

describe('making a lab by hand', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('making');
  const { step, press } = stage;
  let lab = '';
  const nodes = (): Promise<Node[]> => stage.read(`${lab}/nodes`);
  const links = (): Promise<Link[]> => stage.read(`${lab}/links`);
  const named = async (name: string): Promise<Node> =>
    (await nodes()).find((one) => one.name === name) ?? assert.fail(`there is no ${name}`);
  const template = (page: Page, name: string): Locator => page.locator('.palette-item', { hasText: name }).last();
  const middle = async (of: Locator): Promise<{ x: number; y: number }> => {
    const box = (await of.boundingBox()) ?? assert.fail('it cannot be seen');
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  /** Goes to a node, takes the handle that appears, and drops it on another one. */
  const drag = async (page: Page, from: string, to: string): Promise<void> => {
    const start = (await nodeOf(page, from).boundingBox()) ?? assert.fail(`${from} cannot be seen`);
    const there = await middle(nodeOf(page, to));
    await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
    const handle = await middle(nodeOf(page, from).locator('.middle-handle'));
    await page.mouse.move(handle.x, handle.y, { steps: 4 });
    await page.mouse.down();
    await page.mouse.move(there.x, there.y, { steps: 8 });
    await page.mouse.up();
  };
  const scriptOf = async (name: string): Promise<string> => {
    const { node_id } = await named(name);
    const answer = await fetch(`${stage.server.url}${lab}/nodes/${node_id}/files/startup.vpc`);
    return answer.ok ? answer.text() : '';
  };
  const open = async (page: Page, name: string): Promise<void> => {
    lab = await stage.lab(name);
    await page.goto(`${stage.server.url}/#/projects/${lab.split('/').at(-1)}`);
    await page.getByRole('heading', { name }).waitFor();
    await template(page, 'VPCS').waitFor();
  };

  step('an empty map says what to do, and looks well', async (page) => {
    // A node that has no start-up script yet answers 404, which the browser prints.
    stage.tab.allow(/404 \(Not Found\).*\/files\//);
    await open(page, 'by hand');
    await page.getByRole('heading', { name: 'Nothing is here yet' }).waitFor();
    await look(stage.tab, 'an empty map');
    await page.getByRole('button', { name: 'Add a node' }).click();
    await page.getByRole('searchbox').and(page.locator(':focus')).waitFor();
    await press('Escape');
  });

  step(`three PCs, a switch, links and addresses are at most ${MOST_GESTURES} gestures`, async (page) => {
    let gestures = 0;
    const gesture = async (work: () => Promise<unknown>): Promise<void> => {
      gestures += 1;
      await work();
    };
    for (let pc = 0; pc < 3; pc++) await gesture(() => template(page, 'VPCS').click());
    await gesture(() => template(page, 'Ethernet switch').click());
    await nodeOf(page, 'Switch1').waitFor();
    for (const name of ['PC1', 'PC2', 'PC3']) {
      await gesture(() => drag(page, name, 'Switch1'));
      await waitFor(async () => (await links()).length === Number(name.at(-1)));
    }
    await gesture(() => press('Control+a'));
    await gesture(() => press('i'));
    await page.getByRole('dialog', { name: 'Addresses' }).getByText('10.0.0.3/24').waitFor();
    await gesture(() => press('Enter'));
    await waitFor(async () => (await scriptOf('PC3')) === 'ip 10.0.0.3/24\n');
    assert.ok(gestures <= MOST_GESTURES, `${gestures} gestures`);
    assert.deepEqual([await scriptOf('PC1'), await scriptOf('PC2')], ['ip 10.0.0.1/24\n', 'ip 10.0.0.2/24\n']);
    assert.equal(new Set((await nodes()).map(({ x, y }) => `${x} ${y}`)).size, 4);
    await page.getByText('3 nodes have their addresses').waitFor();
  });

  step('a template is found by the search over everything as well, and added', async (page) => {
    await press('Control+k');
    await page.keyboard.type('add hub');
    await page.getByRole('option', { name: 'Add Ethernet hub' }).waitFor();
    await press('Enter');
    await nodeOf(page, 'Hub1').waitFor();
    await press('Control+z');
    await nodeOf(page, 'Hub1').waitFor({ state: 'detached' });
  });

  step('a PC has no second port, and the page says so', async (page) => {
    await drag(page, 'PC1', 'PC2');
    await page.getByText(/^PC1 has no free port/).waitFor();
    assert.equal((await links()).length, 3);
    // They would lie over what is dragged next.
    const notices = page.getByRole('button', { name: 'Dismiss' });
    while ((await notices.count()) > 0) await notices.first().click();
  });

  step('a template that is dropped lies where it was dropped, but not on another node', async (page) => {
    const at = await middle(nodeOf(page, 'Switch1'));
    const area = (await page.locator('.map-area').boundingBox()) ?? assert.fail('there is no map');
    await template(page, 'VPCS').dragTo(page.locator('.map-area'), {
      targetPosition: { x: at.x - area.x, y: at.y - area.y },
    });
    await nodeOf(page, 'PC4').waitFor();
    const [added, all] = [await named('PC4'), await nodes()];
    for (const one of all)
      if (one.name !== 'PC4')
        assert.ok(
          Math.abs(one.x - added.x) >= one.width || Math.abs(one.y - added.y) >= one.height,
          JSON.stringify([one.name, one.x, one.y, added.x, added.y]),
        );
  });

  step('the menu of the empty canvas is about nothing that is selected', async (page) => {
    await press('Escape');
    await nodeOf(page, 'PC4').click();
    await page.locator('.react-flow__node.selected').waitFor();
    await page.locator('.react-flow__pane').click({ button: 'right', position: { x: 30, y: 30 } });
    await page.getByRole('menu').waitFor();
    const items = await page.getByRole('menuitem').allInnerTexts();
    assert.ok(!items.includes('Delete'), items.join());
    assert.ok(items.includes('Select all'), items.join());
    await press('Escape');
    await settles(() => page.locator('.react-flow__node.selected').count(), 0);
  });

  step('keys of the map work when nothing has the focus', async (page) => {
    await page.evaluate('document.activeElement.blur()');
    await press('Control+a');
    await waitFor(async () => (await page.locator('.react-flow__node.selected').count()) === 5);
    assert.equal(await page.evaluate('String(getSelection())'), '');
    await press('Escape');
    await page.getByRole('searchbox').click();
    await page.keyboard.type('l?');
    await settles(() => page.getByRole('dialog').count(), 0);
    await page.getByRole('searchbox').fill('');
    await page.evaluate('document.activeElement.blur()');
    await press('?');
    await page.getByRole('dialog', { name: 'Keys on the map' }).waitFor();
    await press('Escape');
  });

  step('Shift and a click select one more, as Ctrl does, or one less', async (page) => {
    const selected = page.locator('.react-flow__node.selected');
    await press('Escape');
    await nodeOf(page, 'PC1').locator('.node-symbol').click();
    await nodeOf(page, 'PC2')
      .locator('.node-symbol')
      .click({ modifiers: ['Shift'] });
    await nodeOf(page, 'PC3')
      .locator('.node-symbol')
      .click({ modifiers: ['Control'] });
    await waitFor(async () => (await selected.count()) === 3);
    await nodeOf(page, 'PC2')
      .locator('.node-symbol')
      .click({ modifiers: ['Shift'] });
    await waitFor(async () => (await selected.count()) === 2);
    await press('Escape');
  });

  step('a node is renamed in its place, by F2 and by a double click on its name', async (page) => {
    await nodeOf(page, 'PC4').click();
    await press('F2');
    await page.getByRole('textbox', { name: 'Name of PC4' }).waitFor();
    await page.keyboard.type('web');
    await press('Enter');
    await nodeOf(page, 'web').waitFor();
    await nodeOf(page, 'web').locator('.node-label').dblclick();
    await page.keyboard.type('not this');
    await press('Escape');
    await page.locator('.node-rename').waitFor({ state: 'hidden' });
    await nodeOf(page, 'web').locator('.node-label').dblclick();
    await page.keyboard.type('server');
    await press('Enter');
    await nodeOf(page, 'server').waitFor();
    assert.ok((await nodes()).every(({ name }) => name !== 'not this'));
  });

  step('names of nodes and ports are moved by dragging', async (page) => {
    const pull = async (label: Locator): Promise<void> => {
      const { x, y } = await middle(label);
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 20, y + 90, { steps: 5 });
      await page.mouse.up();
    };
    const before = await named('server');
    await pull(nodeOf(page, 'server').locator('.node-label'));
    await waitFor(async () => (await named('server')).label.y > before.label.y + 20);
    assert.deepEqual([(await named('server')).x, (await named('server')).y], [before.x, before.y]);
    const sum = async (): Promise<number> =>
      (await links()).flatMap(({ nodes: ends }) => ends).reduce((all, { label }) => all + label.y, 0);
    await stage.send('PUT', lab, { show_interface_labels: true });
    await page.locator('.port-label').first().waitFor({ state: 'attached' });
    const paint = await page.evaluate(
      `(({ paintOrder, stroke }) => [paintOrder, stroke])(getComputedStyle(document.querySelector('.port-label')))`,
    );
    const ground = await page.evaluate(`getComputedStyle(document.querySelector('.map')).backgroundColor`);
    assert.deepEqual(paint, ['stroke', ground], 'its line runs through the name of a port');
    const y = await sum();
    await pull(page.locator('.port-label').first());
    await waitFor(async () => (await sum()) > y + 20);
  });

  step(
    'what is copied is pasted with its links and its start-up scripts, in this lab and in another one',
    async (page) => {
      await press('Escape', 'Control+a', 'Control+c', 'Control+v');
      await waitFor(async () => (await nodes()).length === 10);
      await waitFor(async () => (await links()).length === 6);
      const names = (await nodes()).map(({ name }) => name);
      assert.equal(new Set(names).size, 10, names.join());
      await waitFor(async () => (await page.locator('.react-flow__node.selected').count()) === 5);
      await open(page, 'another');
      await page.evaluate('document.activeElement.blur()');
      await press('Control+v');
      await waitFor(async () => (await links()).length === 3);
      await waitFor(async () => (await scriptOf('PC2')) === 'ip 10.0.0.2/24\n');
    },
  );

  step('what is cut goes away, and what is duplicated comes', async (page) => {
    // What was pasted is selected when it has come.
    await waitFor(async () => (await page.locator('.react-flow__node.selected').count()) === 5);
    await press('Escape');
    await nodeOf(page, 'server').click();
    await press('Control+x');
    await page.getByRole('dialog', { name: /^Delete 1 node/ }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await waitFor(async () => (await nodes()).length === 4);
    await nodeOf(page, 'server').waitFor({ state: 'hidden' });
    // What is selected while the paste is under way stays selected.
    const late = withResolvers();
    await page.route('**/batch', async (route) => {
      await late.promise;
      await route.continue();
    });
    await press('Control+v', 'Control+a');
    late.resolve();
    await nodeOf(page, 'server').waitFor();
    await page.unroute('**/batch');
    await page.waitForTimeout(500);
    await settles(() => page.locator('.react-flow__node.selected').count(), 4);
    await press('Control+a', 'Control+d');
    await waitFor(async () => (await nodes()).length === 10);
    assert.equal((await links()).length, 6);
  });

  step('nodes are linked in a star by one key, and at ports that are selected', async (page) => {
    await open(page, 'star');
    await template(page, 'Ethernet switch').click();
    await page.getByLabel('Number of nodes').fill('3');
    await template(page, 'VPCS').click();
    await nodeOf(page, 'PC3').waitFor();
    await page.locator('.react-flow__pane').click({ position: { x: 15, y: 15 } });
    await press('Control+a', 'l');
    await waitFor(async () => (await links()).length === 3);
    await press('Escape');
    await template(page, 'VPCS').click();
    await nodeOf(page, 'PC4').click();
    await press('Shift+L');
    await page.getByRole('dialog', { name: 'New link' }).waitFor();
    await page.getByLabel('To', { exact: true }).selectOption({ label: 'Switch1' });
    await page.getByLabel('Port there').selectOption({ label: 'Ethernet7' });
    await page.getByRole('button', { name: 'Create link', exact: true }).click();
    await waitFor(async () => (await links()).length === 4);
  });

  step('the templates can be put away, and have no findings', async (page) => {
    await look(stage.tab, 'the templates');
    await page.getByRole('button', { name: 'Put the templates away' }).click();
    await page.locator('.palette').waitFor({ state: 'hidden' });
    await press('a');
    await page.getByRole('searchbox').and(page.locator(':focus')).waitFor();
    await nodeOf(page, 'PC1').click({ button: 'right' });
    await choose(page, 'Addresses …');
    await page.getByLabel('Network').fill('10.0.0.0/31');
    await page.getByText(/^Network: an address and a prefix length/).waitFor();
    await look(stage.tab, 'addresses');
    await press('Escape');
  });
});
