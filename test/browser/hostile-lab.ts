import { randomUUID } from 'node:crypto';

/** Texts and pictures that would do something if anything let them. Each would set `globalThis.pwned`, or ask elsewhere.example for a file. */
const ELSEWHERE = 'http://elsewhere.example';
const RUN = 'globalThis.pwned=1';
const LONG = 'A'.repeat(1 << 20);

const svg = (inside: string, attributes = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="60" ${attributes}>${inside}</svg>`;

/** By what they try. */
export const PICTURES: Readonly<Record<string, string>> = {
  script: svg(`<script>${RUN}</script><rect width="9" height="9"/>`),
  'script by reference': svg(`<script xlink:href="${ELSEWHERE}/x.js"/><script href="${ELSEWHERE}/y.js"/>`),
  'foreign object': svg(
    `<foreignObject width="90" height="50"><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="${RUN}"/><iframe src="${ELSEWHERE}/frame"/><script>${RUN}</script></body></foreignObject>`,
  ),
  'event handlers': svg(`<rect width="90" height="50" onclick="${RUN}" onmouseover="${RUN}"/>`, `onload="${RUN}"`),
  animation: svg(
    `<a xlink:href="#"><animate attributeName="xlink:href" values="javascript:${RUN}" begin="0s"/><rect width="90" height="50" onbegin="${RUN}"/><set attributeName="onmouseover" to="${RUN}"/></a>`,
  ),
  'external picture': svg(
    `<image width="90" height="50" xlink:href="${ELSEWHERE}/p.png"/><image href="${ELSEWHERE}/q.svg"/>`,
  ),
  'external use': svg(`<use xlink:href="${ELSEWHERE}/u.svg#a"/><use href="${ELSEWHERE}/v.svg#a"/>`),
  'external style': svg(
    `<style>@import url("${ELSEWHERE}/s.css"); rect { fill: url("${ELSEWHERE}/f.svg#g"); background: url(${ELSEWHERE}/b.png) }</style><rect width="90" height="50" style="fill:url(${ELSEWHERE}/g.svg#g)"/>`,
  ),
  'picture that is a document': svg(
    `<image width="90" height="50" xlink:href="data:image/svg+xml;base64,${Buffer.from(svg(`<script>${RUN}</script>`)).toString('base64')}"/>`,
  ),
  'link that runs': svg(`<a href="javascript:${RUN}"><rect width="90" height="50"/></a>`),
  'doctype with entities': `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y "${RUN}">]>${svg('<text y="20">&x;&y;</text>')}`,
  'a megabyte of text': svg(`<text y="20">${LONG}</text>`),
  'deep nesting': svg(`${'<g>'.repeat(5_000)}<rect width="9" height="9"/>${'</g>'.repeat(5_000)}`),
  'not a picture': `<img src=x onerror=${RUN}>`,
  'broken off': '<svg width="100" height="60"><rect width="90"',
};

export const NAMES: readonly string[] = [
  `<img src=x onerror=${RUN}>`,
  `"><script>${RUN}</script>`,
  `javascript:${RUN}`,
  '{{constructor.constructor("pwned=1")()}}',
  '\u202egnp.exe',
];

/** A project file with all of it: as drawings, names, labels, and in what else is shown of a lab. */
export const hostileProject = (): { project_id: string; text: string } => {
  const project_id = randomUUID();
  const label = (text: string) => ({
    text,
    x: 0,
    y: -20,
    rotation: 0,
    style: `fill:url(${ELSEWHERE}/l.svg#a);font-size:10`,
  });
  const nodes = NAMES.map((name, i) => ({
    ...{ node_id: randomUUID(), compute_id: 'local', node_type: 'vpcs', console: null, console_type: 'telnet' },
    ...{
      name: name.slice(0, 60),
      x: i * 150 - 300,
      y: 200,
      symbol: i === 0 ? `${ELSEWHERE}/symbol.svg` : ':/symbols/computer.svg',
    },
    ...{ label: label(i === 1 ? LONG : name), properties: {} },
  }));
  const [a, b] = nodes;
  const end = (node_id: string, text: string) => ({ node_id, adapter_number: 0, port_number: 0, label: label(text) });
  const drawings = Object.values(PICTURES).map((text, i) => ({
    ...{ drawing_id: randomUUID(), x: (i % 5) * 150 - 300, y: Math.floor(i / 5) * 100 - 250, z: 1, rotation: 0 },
    ...{ locked: false, svg: text },
  }));
  const links = [
    { link_id: randomUUID(), nodes: [end(a?.node_id ?? '', NAMES[0] ?? ''), end(b?.node_id ?? '', NAMES[1] ?? '')] },
  ];
  const topology = { computes: [], nodes, links, drawings };
  const text = JSON.stringify({
    ...{ project_id, name: `hostile <b onclick=${RUN}>lab</b>`, type: 'topology', revision: 9, version: '2.2.0' },
    topology,
  });
  return { project_id, text };
};
