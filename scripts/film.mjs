// Makes the recording of the page, docs/pictures/topolog.webm (npm run docs:film): two minutes of work on a real lab, by mouse and keys.
// Needs Chromium, and Debian's ffmpeg for VP9.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { linkOf, nodeOf, root, typeLine, withPage } from './page.mjs';

const SIZE = { width: 1280, height: 720 };
const FRAMES_PER_SECOND = 15;
const MOST_BYTES = 6_000_000;
const target = path.join(root, 'docs/pictures/topolog.webm');

try {
  execFileSync('ffmpeg', ['-version'], { stdio: 'ignore' });
} catch {
  console.error('needs ffmpeg: apt-get install ffmpeg');
  process.exit(2);
}

/** Each picture that the browser draws, with its time, until it is stopped. */
const record = async (page, dir) => {
  const session = await page.context().newCDPSession(page);
  const frames = [];
  const writes = [];
  session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    const file = path.join(dir, `${String(frames.length).padStart(6, '0')}.jpg`);
    frames.push({ file, at: metadata.timestamp });
    writes.push(writeFile(file, Buffer.from(data, 'base64')));
    // It may end in between.
    session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
  });
  await session.send('Page.startScreencast', { format: 'jpeg', quality: 90, everyNthFrame: 1 });
  return async () => {
    await session.send('Page.stopScreencast');
    await Promise.all(writes);
    return frames;
  };
};

const encode = async (frames, dir) => {
  const lines = frames.map(({ file, at }, index) => {
    const next = frames[index + 1]?.at ?? at + 2;
    return `file '${file}'\nduration ${Math.max(0.001, next - at).toFixed(4)}`;
  });
  const list = path.join(dir, 'frames.txt');
  await writeFile(list, `${lines.join('\n')}\nfile '${frames.at(-1).file}'\n`);
  const options = [
    '-c:v',
    'libvpx-vp9',
    '-b:v',
    '0',
    '-crf',
    '33',
    '-row-mt',
    '1',
    '-cpu-used',
    '3',
    '-pix_fmt',
    'yuv420p',
  ];
  const input = ['-y', '-loglevel', 'error', '-f', 'concat', '-safe', '0', '-i', list];
  execFileSync('ffmpeg', [...input, '-vf', `fps=${FRAMES_PER_SECOND}`, '-an', ...options, target], {
    stdio: 'inherit',
  });
};

/** A pointer and a caption that are seen, which a browser without a screen has not. */
const OVERLAY = `(() => {
  const over = document.createElement('div');
  over.popover = 'manual';
  Object.assign(over.style, { position: 'fixed', inset: '0', width: '100vw', height: '100vh', margin: '0', padding: '0', border: '0',
    background: 'none', pointerEvents: 'none', overflow: 'hidden' });
  over.setAttribute('aria-hidden', 'true');
  const said = document.createElement('div');
  Object.assign(said.style, { position: 'absolute', left: '50%', top: '54px', transform: 'translateX(-50%)', padding: '8px 18px',
    borderRadius: '999px', background: '#131a24', color: '#fff', font: '600 17px "Inter Variable", sans-serif', whiteSpace: 'nowrap' });
  const hand = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  hand.setAttribute('width', '26');
  hand.setAttribute('height', '30');
  hand.innerHTML = '<path d="M2 2v21l5.500-5 3.500 8 4-1.700-3.500-7.800h7.500z" fill="#131a24" stroke="#fff" stroke-width="2"/>';
  Object.assign(hand.style, { position: 'absolute', left: '640px', top: '380px' });
  const ring = document.createElement('div');
  Object.assign(ring.style, { position: 'absolute', width: '34px', height: '34px', borderRadius: '50%', border: '3px solid #1f5fd6',
    opacity: '0', transform: 'translate(-50%, -50%)' });
  over.append(said, ring, hand);
  const add = () => { document.body.append(over); over.showPopover(); };
  if (document.body) add(); else addEventListener('DOMContentLoaded', add);
  const place = ({ clientX, clientY }) => {
    Object.assign(hand.style, { left: clientX - 2 + 'px', top: clientY - 2 + 'px' });
    Object.assign(ring.style, { left: clientX + 'px', top: clientY + 'px' });
  };
  addEventListener('pointermove', place, true);
  addEventListener('pointerdown', () => { ring.style.opacity = '1'; }, true);
  addEventListener('pointerup', () => { ring.style.opacity = '0'; }, true);
  globalThis.caption = (text) => {
    said.textContent = text;
    said.style.display = text === '' ? 'none' : '';
    // Later elements of the top layer lie over it.
    over.hidePopover();
    over.showPopover();
  };
  globalThis.caption('');
})()`;

/** Does what a person does, as fast as one, and counts it where that is told. */
const handOf = (page) => {
  let [text, count] = ['', null];
  const tell = () => page.evaluate(`caption(${JSON.stringify(count === null ? text : `${text} · ${count}`)})`);
  const gesture = async (work) => {
    if (count !== null) count += 1;
    await work();
    await tell();
  };
  const middle = async (what) => {
    const box = await what.boundingBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const glide = async (what) => {
    await what.scrollIntoViewIfNeeded();
    const { x, y } = await middle(what);
    await page.mouse.move(x, y, { steps: 14 });
    await sleep(120);
  };
  return {
    say: async (now, counted = false) => {
      [text, count] = [now, counted ? 0 : null];
      await tell();
      await sleep(900);
    },
    glide,
    click: (what, options) =>
      gesture(async () => {
        await glide(what);
        await page.mouse.down(options);
        await sleep(90);
        await page.mouse.up(options);
        await sleep(200);
      }),
    doubleClick: (what) =>
      gesture(async () => {
        await glide(what);
        const { x, y } = await middle(what);
        await page.mouse.dblclick(x, y, { delay: 60 });
      }),
    drag: (from, to) =>
      gesture(async () => {
        await glide(from);
        await page.mouse.down();
        const { x, y } = await middle(to);
        await page.mouse.move(x, y, { steps: 18 });
        await page.mouse.up();
        await sleep(150);
      }),
    press: (key) =>
      gesture(async () => {
        await page.keyboard.press(key);
        await sleep(250);
      }),
  };
};

/** From the handle that appears at a node to another node. */
const link = async (page, hand, from, to) => {
  await hand.glide(nodeOf(page, from).locator('.node-symbol'));
  await hand.drag(nodeOf(page, from).locator('.middle-handle'), nodeOf(page, to).locator('.node-symbol'));
};

const MAKING = async (page, hand) => {
  const template = (name) => page.locator('.palette-item', { hasText: name }).last();
  await hand.say('A lab by hand: three PCs, a switch, links, addresses, running. Gestures', true);
  for (let n = 0; n < 3; n++) await hand.click(template('VPCS'));
  await hand.click(template('Ethernet switch'));
  await nodeOf(page, 'Switch1').waitFor();
  for (const name of ['PC1', 'PC2', 'PC3']) await link(page, hand, name, 'Switch1');
  await hand.press('Control+a');
  await hand.press('i');
  await page.getByRole('dialog', { name: 'Addresses' }).getByText('10.0.0.3/24').waitFor();
  await sleep(900);
  await hand.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await hand.press('Escape');
  await hand.click(page.getByRole('button', { name: 'Start all nodes' }));
  await nodeOf(page, 'PC3').locator('.lab-node.started').waitFor();
  await sleep(1500);
};

const CONSOLES = async (page, hand) => {
  await hand.say('Consoles in the page, recorded, side by side');
  await hand.doubleClick(nodeOf(page, 'PC1').locator('.node-symbol'));
  await page.locator('.panel:not([hidden])').getByText('Connected').waitFor();
  await page.getByRole('button', { name: 'Put the templates away' }).click();
  const edge = page.getByRole('separator', { name: 'Height of the dock' });
  for (let n = 0; n < 2; n++) await edge.press('PageUp');
  await page.keyboard.press('0');
  await typeLine(page, 'ping 10.0.0.3 -t', 45);
  await sleep(1500);
  await hand.doubleClick(nodeOf(page, 'PC2').locator('.node-symbol'));
  await page.getByRole('tab', { name: /^PC2/, selected: true }).waitFor();
  await hand.click(page.getByRole('button', { name: 'Show beside the others' }).last());
  await sleep(400);
  await typeLine(page, 'show ip', 45);
  await sleep(2500);
};

const PACKETS = async (page, hand, { links }) => {
  await hand.say('A capture at both links: packets, their fields, and their way over the map');
  await page.getByRole('button', { name: 'Close this tab' }).last().click();
  await linkOf(page, links[0].link_id).focus();
  await page.keyboard.press('Enter');
  await hand.click(page.getByRole('menuitem', { name: 'Packets' }));
  const packets = page.locator('.panel:not([hidden])').filter({ has: page.getByTestId('packet-count') });
  await packets.getByText('Echo reply').first().waitFor();
  await page.getByRole('checkbox', { name: 'Follow', exact: true }).uncheck();
  await hand.click(packets.locator('tr.packet').filter({ hasText: 'Echo request' }).first());
  await packets.getByRole('region', { name: /^Packet \d+$/ }).waitFor();
  await sleep(1500);
  await packets.getByRole('combobox', { name: 'Time for each link' }).selectOption('2');
  await hand.click(packets.getByRole('button', { name: 'Show on map' }));
  await sleep(5000);
  await hand.click(page.getByRole('button', { name: 'Close this tab' }).last());
};

const PAST = async (page, hand, { bob }) => {
  await hand.say('Somebody else deletes a node …');
  await bob();
  await nodeOf(page, 'PC2').waitFor({ state: 'hidden' });
  await sleep(800);
  await hand.say('… the time line knows what happened, and who did it');
  await hand.click(page.getByRole('button', { name: 'Open the time line' }));
  await hand.click(page.getByTitle('What happened', { exact: true }));
  await sleep(2500);
  await hand.say('Two moments compared');
  await hand.click(page.getByRole('button', { name: 'Compare', exact: true }));
  await page.getByTestId('differences').waitFor();
  await sleep(2500);
  await hand.click(page.getByRole('button', { name: 'Close What differs' }));
  await hand.click(page.getByRole('button', { name: 'Back to now' }));
  await page.getByTestId('past').waitFor({ state: 'hidden' });
  await hand.say('Back in time, change by change, until it is there again');
  for (let n = 0; n < 8 && (n < 1 || !(await nodeOf(page, 'PC2').isVisible())); n++) {
    await hand.click(page.getByRole('button', { name: 'One change back' }));
    await sleep(700);
  }
  await hand.say('What was deleted comes back, with its links and settings');
  await hand.click(page.getByRole('button', { name: 'Restore all …' }));
  const restore = page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true });
  await restore.waitFor();
  await sleep(1200);
  await hand.click(restore);
  await page.getByTestId('past').waitFor({ state: 'hidden' });
  await nodeOf(page, 'PC2').waitFor();
  await sleep(1500);
  await hand.click(page.getByRole('button', { name: 'Close the time line' }));
};

const CHECKED = async (page, hand, { cut, join }) => {
  await hand.say('What must hold, as a sentence');
  await hand.click(page.getByRole('button', { name: 'Project', exact: true }));
  await hand.click(page.getByRole('menuitem', { name: 'Checks' }));
  const panel = page.locator('.panel:not([hidden])');
  await panel.getByRole('textbox', { name: 'A check as a sentence' }).click();
  await page.keyboard.type('PC1 reaches PC3 every 500ms', { delay: 45 });
  await hand.press('Enter');
  const check = panel.locator('.check').filter({ hasText: 'PC1 reaches PC3' });
  await check.filter({ hasText: 'Met since' }).waitFor();
  await sleep(1500);
  await hand.say('Somebody cuts a cable: the check is broken');
  await cut();
  await check.filter({ hasText: 'Broken since' }).waitFor();
  await sleep(2000);
  await hand.say('Why does PC1 not reach PC3, and since when?');
  await hand.click(nodeOf(page, 'PC1').locator('.node-symbol'), { button: 'right' });
  await hand.click(page.getByRole('menuitem', { name: 'Why can it not reach …' }));
  await page.getByRole('dialog').getByRole('combobox').selectOption({ label: 'PC3' });
  await sleep(900);
  await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Find out why' }));
  await page.locator('.why-since').waitFor();
  await sleep(4500);
  await hand.say('It is joined again, and holds');
  await join();
  await check.filter({ hasText: 'Met since' }).waitFor();
  await sleep(2000);
  await page.keyboard.press('Escape');
  await hand.click(page.getByRole('button', { name: 'Close this tab' }).last());
};

const TOGETHER = async (page, hand, { open, at }) => {
  await hand.say('Two people: pointers, selections, and dragging while it is done');
  const other = await open(SIZE, 'ada');
  await other.goto(at);
  await nodeOf(other, 'PC3').waitFor();
  await page.getByRole('button', { name: 'With you: ada' }).waitFor();
  const box = await nodeOf(other, 'PC3').locator('.node-symbol').boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await other.mouse.move(x - 260, y - 60);
  await other.mouse.move(x, y, { steps: 40 });
  await sleep(500);
  await other.mouse.down();
  for (let n = 0; n <= 50; n++) {
    await other.mouse.move(x + 1.6 * n, y + 90 * Math.sin(n / 16));
    await sleep(40);
  }
  await other.mouse.up();
  await sleep(1500);
  await other.context().close();
};

const CRASH = async (page, hand, { crash }) => {
  await hand.say('The server is killed (kill -9). The nodes do not notice');
  await crash(async () => {
    await page.getByText('Connection lost').first().waitFor();
    await sleep(2500);
    await page.evaluate(`caption('It is started again, and takes the running lab over')`);
  });
  await page.getByTestId('connection').getByText('Live').waitFor();
  await page.locator('.panel:not([hidden])').getByText('Connected').last().waitFor();
  await sleep(4000);
};

const FORK = async (page, hand) => {
  await hand.say('Any moment of the past becomes a lab of its own');
  for (let n = 0; n < 2; n++) await hand.click(page.getByRole('button', { name: 'One change back' }));
  await page.getByTestId('past').waitFor();
  await hand.click(page.getByRole('button', { name: /Fork from here/ }));
  await page.getByRole('dialog').waitFor();
  await sleep(1000);
  await hand.press('Enter');
  await page.getByRole('heading', { name: /fork$/ }).waitFor();
  await nodeOf(page, 'PC1').waitFor();
  await hand.click(page.getByRole('button', { name: 'Open it' }));
  await sleep(1500);
  await hand.say('Topolog: every change is an event');
  await sleep(2500);
};

const frames = await mkdtemp(path.join(tmpdir(), 'topolog-film-'));
await mkdir(path.dirname(target), { recursive: true });
try {
  await withPage(async ({ url, call, open, crash }) => {
    const { project_id } = await call('POST', '/v2/projects', { name: 'office', auto_close: false });
    const lab = `/v2/projects/${project_id}`;
    await call('PUT', lab, { record_consoles: true });
    const at = `${url}/#/projects/${project_id}`;
    const page = await open(SIZE, 'grace');
    page.setDefaultTimeout(20_000);
    await page.addInitScript(OVERLAY);
    await page.addInitScript(
      `localStorage.setItem('topolog.frame', localStorage.getItem('topolog.frame') ?? '{"hasInspector":false}')`,
    );
    await page.goto(at);
    await page.locator('.palette-item').first().waitFor();
    const stop = await record(page, frames);
    const hand = handOf(page);
    await MAKING(page, hand);
    const links = await call('GET', `${lab}/links`);
    for (const { link_id } of links) await call('POST', `${lab}/links/${link_id}/start_capture`);
    await CONSOLES(page, hand);
    await PACKETS(page, hand, { links });
    const nodes = await call('GET', `${lab}/nodes`);
    const { node_id } = nodes.find(({ name }) => name === 'PC2');
    const { node_id: pc3 } = nodes.find(({ name }) => name === 'PC3');
    const bob = async () => {
      for (const [method, what] of [
        ['POST', '/stop'],
        ['DELETE', ''],
      ])
        await call(method, `${lab}/nodes/${node_id}${what}`, undefined, 'bob');
    };
    await PAST(page, hand, { bob });
    const [cable] = (await call('GET', `${lab}/links`)).filter((one) => one.nodes.some((end) => end.node_id === pc3));
    const suspend = (is) => () => call('PUT', `${lab}/links/${cable.link_id}`, { suspend: is }, 'bob');
    await CHECKED(page, hand, { cut: suspend(true), join: suspend(false) });
    await TOGETHER(page, hand, { open, at });
    await CRASH(page, hand, { crash });
    await FORK(page, hand);
    await encode(await stop(), frames);
  });
} finally {
  await rm(frames, { recursive: true, force: true });
}
const { size } = await stat(target);
console.log(`${target}: ${(size / 1e6).toFixed(1)} MB`);
if (size > MOST_BYTES) {
  console.error(`it is to have at most ${MOST_BYTES / 1e6} MB: raise -crf`);
  process.exit(1);
}
