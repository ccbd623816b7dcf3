// Draws the symbols of nodes into the folder symbols/: every picture is a plate with a glyph, from the tables below.
//   node scripts/draw-symbols.mjs
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../symbols');

/** Pixels; nodes are laid out by it. */
const SIZE = 65;

const line = (d) => `<path d="${d}"/>`;
const full = (d) => `<path d="${d}" fill="#fff" stroke="none"/>`;
const dot = (x, y, r = 2) => `<circle cx="${x}" cy="${y}" r="${r}" fill="#fff" stroke="none"/>`;
const box = (x, y, width, height, r = 2) => `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${r}"/>`;
/** A line with a head at its end; `way` is where it points: l, r, u or d. */
const arrow = (x1, y1, x2, y2) => {
  const [dx, dy] = [Math.sign(x2 - x1) * 5, Math.sign(y2 - y1) * 5];
  const diagonal = dx !== 0 && dy !== 0;
  const [a, b] = diagonal
    ? [`${x2 - dx} ${y2}`, `${x2} ${y2 - dy}`]
    : [`${x2 - dx - dy} ${y2 - dy - dx}`, `${x2 - dx + dy} ${y2 - dy + dx}`];
  return line(`M${x1} ${y1}L${x2} ${y2}M${a}L${x2} ${y2}L${b}`);
};
const screen = (inside) => box(16, 17, 33, 23, 2.5) + line('M32.5 40v6M25 47h15') + inside;

/** Glyphs of the kinds of things, in white lines around the middle. */
const GLYPHS = {
  router: arrow(16, 32.5, 28, 32.5) + arrow(49, 32.5, 37, 32.5) + arrow(32.5, 28, 32.5, 16) + arrow(32.5, 37, 32.5, 49),
  switch: arrow(19, 21, 46, 21) + arrow(46, 29, 19, 29) + arrow(19, 37, 46, 37) + arrow(46, 45, 19, 45),
  layered:
    '<circle cx="32.5" cy="32.5" r="8"/>' +
    [arrow(26, 26, 18, 18), arrow(39, 26, 47, 18), arrow(26, 39, 18, 47), arrow(39, 39, 47, 47)].join('') +
    dot(32.5, 32.5, 3),
  hub:
    arrow(32.5, 30, 17, 30) +
    arrow(32.5, 30, 48, 30) +
    line('M22 30v10M32.5 30v10M43 30v10') +
    dot(22, 43, 3) +
    dot(32.5, 43, 3) +
    dot(43, 43, 3),
  atm: arrow(20, 20, 45, 45) + arrow(45, 20, 20, 45) + arrow(20, 45, 45, 20) + arrow(45, 45, 20, 20),
  frames: box(17, 19, 15, 10) + box(33, 36, 15, 10) + arrow(35, 24, 46, 24) + arrow(30, 41, 19, 41),
  bricks: line(
    'M17 20h31v25h-31zM17 28.3h31M17 36.6h31M27 20v8.3M38 20v8.3M22 28.3v8.3M32.5 28.3v8.3M43 28.3v8.3M27 36.6v8.4M38 36.6v8.4',
  ),
  server:
    box(20, 17, 25, 9) +
    box(20, 28, 25, 9) +
    box(20, 39, 25, 9) +
    dot(25, 21.5) +
    dot(25, 32.5) +
    dot(25, 43.5) +
    line('M33 21.5h7M33 32.5h7M33 43.5h7'),
  computer: screen(''),
  prompt: screen(line('M21 24l5 4.5l-5 4.5M29 34h8')),
  chip: screen(box(27, 23, 11, 11, 1) + line('M24 26h3M24 31h3M38 26h3M38 31h3')),
  cube: screen(line('M32.5 21l8 3.6v8l-8 3.6l-8-3.6v-8zM24.5 24.6l8 3.6l8-3.6M32.5 28.2v8')),
  twins: screen(box(24, 21, 11, 9, 1) + box(30, 26, 11, 9, 1)),
  penguin: screen(
    line('M32.5 21c4 0 4 5 5 8s2 3 2 6h-14c0-3 1-3 2-6s1-8 5-8z') + dot(31, 25, 1.2) + dot(34.5, 25, 1.2),
  ),
  containers:
    box(16, 34, 9, 9, 1) +
    box(28, 34, 9, 9, 1) +
    box(40, 34, 9, 9, 1) +
    box(22, 22, 9, 9, 1) +
    box(34, 22, 9, 9, 1) +
    line('M14 47h37'),
  cloud: line('M22 44h22a8 8 0 0 0 1-16a12 12 0 0 0-23-3a9.6 9.6 0 0 0 0 19z'),
  translate:
    line('M22 46h22a8 8 0 0 0 1-16a12 12 0 0 0-23-3a9.6 9.6 0 0 0 0 19z') +
    arrow(24, 32, 41, 32) +
    arrow(41, 39, 24, 39),
  trace: dot(18, 45, 3) + line('M20 43l8-8M32 31l10-2') + dot(30, 33, 3) + dot(45, 28, 3) + line('M45 25v-9l7 3l-7 3'),
  waves: dot(32.5, 44, 3) + line('M26 37a9 9 0 0 1 13 0M21 31a16 16 0 0 1 23 0M16 25a23 23 0 0 1 33 0'),
  phone:
    line('M17 24c8-7 23-7 31 0l-2 6l-7-2v-4h-13v4l-7 2z') +
    box(23, 31, 19, 16, 3) +
    dot(29, 37, 1.5) +
    dot(36, 37, 1.5) +
    dot(29, 42, 1.5) +
    dot(36, 42, 1.5),
  printer: line('M23 26v-9h19v9M23 40h-6v-14h31v14h-6') + box(23, 35, 19, 12, 1) + dot(43, 31, 1.5),
  lock: box(21, 30, 23, 17, 3) + line('M26 30v-5a6.5 6.5 0 0 1 13 0v5') + dot(32.5, 38, 2.5),
  eye:
    line('M15 32.5c8-13 27-13 35 0c-8 13-27 13-35 0z') + '<circle cx="32.5" cy="32.5" r="6"/>' + dot(32.5, 32.5, 2.5),
  balance: line('M32.5 17v29M23 47h19M18 23h29M18 23l-4 11h8zM47 23l-4 11h8z'),
  label: line('M16 24h20l12 8.5l-12 8.5h-20z') + dot(35, 32.5, 2.5),
  light: line('M16 32.5c5-12 10-12 15 0s10 12 15 0') + arrow(44, 32.5, 50, 32.5),
  voice: line('M26 20v12a6.5 6.5 0 0 0 13 0v-12a6.5 6.5 0 0 0-13 0zM21 31a11.5 11.5 0 0 0 23 0M32.5 42.5v5.5'),
  storage: line('M19 21c0-6 27-6 27 0v23c0 6-27 6-27 0zM19 21c0 6 27 6 27 0M19 32.5c0 6 27 6 27 0'),
  people:
    '<circle cx="25" cy="25" r="6"/><circle cx="42" cy="28" r="4.5"/>' +
    line('M14 46c0-14 22-14 22 0M39 37c6-2 12 1 12 9'),
  gate: line('M18 46v-20a14.5 9 0 0 1 29 0v20') + arrow(26, 38, 39, 38) + arrow(39, 31, 26, 31),
  flows: arrow(17, 22, 47, 22) + line('M17 32.5h30M17 43h30') + full('M21 29h7v7h-7zM37 39.5h7v7h-7z'),
};

const PLATES = {
  circle: (fill, edge) => `<circle cx="32.5" cy="32.5" r="30.5" fill="${fill}" stroke="${edge}" stroke-width="2"/>`,
  square: (fill, edge) =>
    `<rect x="2" y="2" width="61" height="61" rx="7" fill="${fill}" stroke="${edge}" stroke-width="2"/>`,
};
const COLOURS = {
  blue: ['#2d6da3', '#1d4a70'],
  gray: ['#6b7680', '#454d54'],
  green: ['#3b8754', '#245a37'],
  red: ['#b3493f', '#7c2d26'],
};

/** The set that files name without a folder. Routers are round, the rest square; what guards is red, guests are green. */
const CLASSIC = {
  access_point: ['circle', 'green', 'waves'],
  access_server: ['square', 'blue', 'people'],
  asa: ['square', 'red', 'bricks'],
  atm_bridge: ['square', 'gray', 'atm'],
  atm_switch: ['square', 'blue', 'atm'],
  call_manager: ['square', 'gray', 'voice'],
  cloud: ['circle', 'gray', 'cloud'],
  computer: ['square', 'gray', 'computer'],
  docker_guest: ['square', 'green', 'containers'],
  dslam: ['square', 'gray', 'flows'],
  edge_label_switch_router: ['circle', 'green', 'label'],
  ethernet_switch: ['square', 'blue', 'switch'],
  firewall: ['square', 'red', 'bricks'],
  frame_relay_switch: ['square', 'blue', 'frames'],
  gateway: ['circle', 'gray', 'gate'],
  hub: ['square', 'blue', 'hub'],
  ids: ['square', 'red', 'eye'],
  iosv_l2_virl: ['square', 'green', 'switch'],
  iosv_virl: ['circle', 'green', 'router'],
  ip_phone: ['square', 'gray', 'phone'],
  label_switch_router: ['circle', 'blue', 'label'],
  lightweight_ap: ['circle', 'gray', 'waves'],
  linux_guest: ['square', 'green', 'penguin'],
  loadbalancer: ['square', 'green', 'balance'],
  multilayer_switch: ['square', 'blue', 'layered'],
  nat: ['circle', 'gray', 'translate'],
  optical_router: ['circle', 'green', 'light'],
  pbx: ['square', 'blue', 'phone'],
  printer: ['square', 'gray', 'printer'],
  qemu_guest: ['square', 'green', 'chip'],
  route_switch_processor: ['square', 'gray', 'layered'],
  router: ['circle', 'blue', 'router'],
  router_firewall: ['circle', 'red', 'bricks'],
  router_netflow: ['circle', 'blue', 'flows'],
  server: ['square', 'gray', 'server'],
  sip_server: ['square', 'green', 'voice'],
  ssl_terminator: ['square', 'red', 'lock'],
  storage: ['square', 'gray', 'storage'],
  traceng: ['square', 'green', 'trace'],
  vbox_guest: ['square', 'green', 'cube'],
  vmware_guest: ['square', 'green', 'twins'],
  voice_router: ['circle', 'blue', 'voice'],
  vpcs_guest: ['square', 'gray', 'prompt'],
  vpn: ['square', 'gray', 'lock'],
  wlan_controller: ['square', 'blue', 'waves'],
};

/** Symbols of every theme that has its own plate and colour: file to glyph. */
const AFFINITY = {
  atm: 'atm',
  client: 'computer',
  client_vm: 'chip',
  cloud: 'cloud',
  docker: 'containers',
  firewall: 'bricks',
  firewall3: 'bricks',
  frame_relay: 'frames',
  hub: 'hub',
  isdn: 'frames',
  linux: 'penguin',
  nat: 'translate',
  router: 'router',
  router_firewall: 'bricks',
  server: 'server',
  switch: 'switch',
  switch_multilayer: 'layered',
  traceng: 'trace',
  virtualbox: 'cube',
  vmware: 'twins',
  vpcs: 'prompt',
  wireless: 'waves',
};

const draw = (file, shape, colour, glyph) => {
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}" viewBox="0 0 ${SIZE} ${SIZE}">`,
    PLATES[shape](...COLOURS[colour]),
    `<g fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round">${GLYPHS[glyph]}</g>`,
    '</svg>',
  ];
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${lines.join('\n')}\n`);
};

rmSync(root, { recursive: true, force: true });
for (const [name, [shape, colour, glyph]] of Object.entries(CLASSIC))
  draw(path.join(root, `${name}.svg`), shape, colour, glyph);
for (const shape of Object.keys(PLATES))
  for (const colour of Object.keys(COLOURS))
    for (const [name, glyph] of Object.entries(AFFINITY))
      draw(path.join(root, 'affinity', shape, colour, `${name}.svg`), shape, colour, glyph);
