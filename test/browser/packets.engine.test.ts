import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { openConsole } from '../support/console.ts';
import { noBrowser } from './browser.ts';
import { createStage } from './stage.ts';
import { linkOf, settles, waitFor } from './walk.ts';

interface Node {
  node_id: string;
  console: number;
}
interface Link {
  link_id: string;
}

/** Whether the list of packets in front is longer than its place, and stands at its end. */
const AT_END = `(({ scrollTop, scrollHeight, clientHeight }) => scrollTop > 0 && scrollHeight - scrollTop - clientHeight < 24)(
  document.querySelector('.panel:not([hidden]) .packets'))`;

/** The links that a dot goes over, once it has left the second. */
const DOTS = `new Promise((resolve) => {
  const links = [];
  const isDot = (node) => node.classList?.contains('packet-dot');
  new MutationObserver((changes, observer) => {
    for (const { addedNodes, removedNodes } of changes) {
      for (const node of addedNodes) if (isDot(node)) links.push(node.dataset.link);
      if (links.length === 2 && [...removedNodes].some(isDot)) {
        observer.disconnect();
        resolve(links);
      }
    }
  }).observe(document.body, { childList: true, subtree: true });
})`;

/** What is in captures: lists, filters, fields and octets, conversations, all captures at once, packets on the map. */
describe('the packets of captures', { skip: noBrowser, timeout: 300_000 }, () => {
  const stage = createStage('packets');
  const { step, press } = stage;
  let lab = '';
  const nodes: Node[] = [];
  const links: Link[] = [];
  const consoleOf = async (index: number, line: string, until: RegExp): Promise<void> => {
    const console = await openConsole(nodes[index]?.console ?? 0);
    await console.type(line, until);
    console.close();
  };
  const openPackets = async (index: number): Promise<void> => {
    await linkOf(stage.page, links[index]?.link_id ?? '').focus();
    await press('Enter');
    await stage.pick('Packets');
    await stage.page.locator('.panel:not([hidden])').getByTestId('packet-count').waitFor();
  };
  const panel = () => stage.page.locator('.panel:not([hidden])');
  const filter = async (text: string): Promise<void> =>
    panel().getByRole('searchbox', { name: 'Display filter' }).fill(text);
  const counted = (pattern: RegExp): Promise<void> =>
    waitFor(async () => pattern.test(await panel().getByTestId('packet-count').innerText()));

  step('begin with two PCs at a switch, both of whose links are captured, and what they say', async (page) => {
    lab = await stage.lab('packets');
    for (const [n, type] of ['vpcs', 'vpcs', 'ethernet_switch'].entries()) {
      const body = { name: ['PC1', 'PC2', 'SW'][n], node_type: type, compute_id: 'local', x: n * 200 - 200, y: 0 };
      nodes.push(await stage.send<Node>('POST', `${lab}/nodes`, body));
    }
    for (const n of [0, 1]) {
      const ends = [
        { node_id: nodes[n]?.node_id, adapter_number: 0, port_number: 0 },
        { node_id: nodes[2]?.node_id, adapter_number: 0, port_number: n },
      ];
      links.push(await stage.send<Link>('POST', `${lab}/links`, { nodes: ends }));
      nodes[n] = await stage.send<Node>('POST', `${lab}/nodes/${nodes[n]?.node_id}/start`, {});
      await consoleOf(n, `ip 10.0.0.${n + 1}/24`, /PC\d : 10\.0\.0\./);
    }
    for (const { link_id } of links) await stage.send('POST', `${lab}/links/${link_id}/start_capture`, {});
    await consoleOf(0, 'ping 10.0.0.2 -c 3', /icmp_seq=3 /);
    await page.goto(`${stage.server.url}/#${lab.replace('/v2', '')}`);
    await openPackets(0);
    await panel().getByText('Echo reply').first().waitFor();
  });

  step('are filtered while one types, and what is wrong is marked in its place', async (page) => {
    await filter('icmp && ip.src == 10.0.0.1');
    await counted(/^3 of \d+ packets$/);
    await settles(() => panel().locator('tr.packet.control').count(), 3);
    stage.tab.allow(/status of 400/);
    await filter('icmp && ip.source == 10.0.0.1');
    await panel().locator('.filter-problem mark').getByText('ip.source').waitFor();
    assert.match(await panel().locator('.filter-problem').innerText(), /ip\.source/);
    await filter('"reply"');
    await counted(/^3 of \d+ packets$/);
    await stage.tab.screenshot('packets-filter');
    await filter('');
    await counted(/^\d+ packets$/);
    await page.getByRole('checkbox', { name: 'Follow', exact: true }).uncheck();
  });

  step('show their fields and octets, each of which selects the other', async (page) => {
    await filter('icmp.type == 8');
    await counted(/^3 of /);
    await panel().locator('tr.packet').nth(1).click();
    const detail = panel().getByRole('region', { name: /^Packet \d+$/ });
    await detail.getByRole('treeitem', { name: /^Time to live/ }).click();
    const marked = detail.locator('.octet-numbers .marked');
    assert.deepEqual([await marked.innerText(), await marked.getAttribute('data-octet')], ['40', '22']);
    // The sequence number of the echo.
    await detail.locator('.octet-numbers [data-octet="41"]').click();
    await detail.locator('[role=treeitem][aria-selected=true]').getByText('Sequence number: 2').waitFor();
    await settles(() => marked.count(), 2);
    await stage.tab.screenshot('packets-fields');
    await page.emulateMedia({ colorScheme: 'dark' });
    await stage.tab.screenshot('packets-fields-dark');
    await page.emulateMedia({ colorScheme: 'light' });
  });

  step('are gone through by the keyboard: packets, fields, octets', async (page) => {
    await stage.at(/^Packets$/, 'Home');
    await panel().locator('tr.packet[aria-selected=true]').getByText('Echo request').waitFor();
    await press('End');
    await waitFor(async () => (await panel().locator('tr.packet').nth(2).getAttribute('aria-selected')) === 'true');
    await stage.at(/^Fields of the packet$/, 'Home', 'ArrowRight', 'ArrowDown');
    await panel().locator('[role=treeitem][aria-selected=true]').getByText('Number').waitFor();
    await press('ArrowLeft', 'ArrowLeft');
    await settles(
      () =>
        panel()
          .getByRole('treeitem', { name: /^Number/ })
          .count(),
      0,
    );
    await stage.at(/^Octets of the packet$/, 'ArrowLeft');
    await panel().locator('[role=treeitem][aria-selected=true]').getByText('Destination').waitFor();
    await page.keyboard.press('ArrowRight');
    await panel().locator('[role=treeitem][aria-selected=true]').getByText('Source').waitFor();
  });

  step('go over the links of the map on which they were met', async (page) => {
    await panel().getByRole('combobox', { name: 'Time for each link' }).selectOption('0.5');
    const seen = page.evaluate<string[]>(DOTS);
    await panel().getByRole('button', { name: 'Show on map' }).click();
    assert.deepEqual((await seen).toSorted(), links.map(({ link_id }) => link_id).toSorted());
  });

  step('are counted by conversation, and one of them is followed', async () => {
    await filter('');
    await consoleOf(0, 'ping 10.0.0.2 -P 17 -c 1', /10\.0\.0\.2/);
    await panel().getByRole('button', { name: 'Conversations' }).click();
    const table = panel().getByRole('region', { name: 'Conversations' });
    await table.getByRole('combobox', { name: 'Between' }).selectOption('ip');
    await table.getByRole('button', { name: 'Frames' }).click();
    await settles(() => table.getByRole('columnheader', { name: 'Frames' }).getAttribute('aria-sort'), 'descending');
    await stage.tab.screenshot('packets-conversations');
    await table
      .getByRole('button', { name: /^Packets of ip\.addr == 10\.0\.0\.[12]/ })
      .first()
      .click();
    await counted(/^\d+ of \d+ packets$/);
    await filter('udp');
    await counted(/^2 of \d+ packets$/);
    await panel().locator('tr.packet').first().click();
    await panel().getByRole('button', { name: 'Follow conversation' }).click();
    await panel().getByRole('region', { name: 'Conversation', exact: true }).locator('pre').first().waitFor();
    await panel().getByRole('checkbox', { name: 'Hexadecimal' }).check();
    await stage.tab.screenshot('packets-followed');
    await panel().getByRole('button', { name: 'Back to the packets' }).click();
  });

  step('are searched in all captures at once, and shown in theirs, or the lab as it was then', async (page) => {
    await panel().getByRole('button', { name: 'Search all captures' }).click();
    await page.getByRole('tab', { name: 'All captures' }).waitFor();
    await filter('icmp.seq == 2');
    await waitFor(async () => /^4 packets in 2 captures$/.test(await panel().getByTestId('search-count').innerText()));
    const rows = panel().locator('tr.packet');
    await rows.nth(1).click();
    await stage.tab.screenshot('packets-search');
    await panel().getByRole('button', { name: 'Show in its capture' }).click();
    await panel()
      .getByRole('region', { name: /^Packet \d+$/ })
      .waitFor();
    await page
      .getByRole('tab', { name: / – SW$/ })
      .and(page.locator('[aria-selected=true]'))
      .waitFor();
    await page.getByRole('tab', { name: 'All captures' }).click();
    await panel().getByRole('button', { name: 'Show the lab at this time' }).click();
    await waitFor(async () => page.url().includes('at='));
    await page.getByRole('button', { name: 'Back to now' }).click();
  });

  step('are followed to the end of the list, also where they came while it was hidden', async (page) => {
    const followed = page.getByRole('tab', { name: 'PC1 – SW' });
    await openPackets(0);
    await filter('');
    await page.getByRole('checkbox', { name: 'Follow', exact: true }).check();
    await page.getByRole('tab', { name: 'All captures' }).click();
    const hidden = page.locator('.panel[hidden]').getByTestId('packet-count');
    const counts = async () => (await hidden.allTextContents()).map((text) => Number(/(\d+) packets$/.exec(text)?.[1]));
    const before = Math.max(...(await counts()));
    await consoleOf(0, 'ping 10.0.0.2 -c 20 -i 10', /icmp_seq=20 /);
    await waitFor(async () => (await counts()).every((count) => count >= before + 40));
    await followed.click();
    await waitFor(() => page.evaluate<boolean>(AT_END));
  });
});
