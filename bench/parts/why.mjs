import { startServer } from '../server.mjs';

const ROWS = [50, 250, 5_000];
/** The pause between two reads of others. Milliseconds. */
const BETWEEN_MS = 2;

/** What `why` costs over a row of switches, one of whose cables was suspended, and how long others wait for a read meanwhile. */
export const why = async ({ runs, quick, nodeFlags }) => {
  const rows = [];
  for (const length of quick ? [5] : ROWS) {
    const server = await startServer(nodeFlags);
    try {
      rows.push(...(await measure(server, length, runs)));
    } finally {
      await server.stop();
    }
  }
  return rows;
};

const measure = async (server, length, runs) => {
  const { project_id } = await server.call('POST', '/v2/labs/apply', { text: textOf(length), start: true });
  const project = `/v2/projects/${project_id}`;
  const links = await server.call('GET', `${project}/links`);
  const { link_id } = links[Math.floor(links.length / 2)];
  await server.call('PUT', `${project}/links/${link_id}`, { suspend: true });
  const [asked, waited] = [[], []];
  for (let run = 0; run < runs; run++) {
    let isOver = false;
    const answer = timed(() => server.call('GET', `${project}/why?from=PC1&to=PC2`)).finally(() => (isOver = true));
    let longest = 0;
    while (!isOver) {
      longest = Math.max(longest, await timed(() => server.call('GET', '/v2/version')));
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
    }
    asked.push(await answer);
    waited.push(longest);
  }
  const what = `why over ${length.toLocaleString('en-US')} switches, one cable suspended`;
  return [
    { what: `${what} (target 2,000)`, unit: 'ms', values: asked },
    { what: 'the longest read of another meanwhile (target 50)', unit: 'ms', values: waited },
  ];
};

const timed = async (work) => {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
};

/** A PC at either end. */
const textOf = (length) => {
  const switches = Array.from({ length }, (_, n) => `SW${n + 1}`);
  const cables = switches.slice(1).map((name, n) => `  - ["${switches[n]}:1", "${name}:0"]`);
  return [
    'lab: row\nversion: 1\nnodes:',
    ...[1, 2].map((n) => `  PC${n}: { kind: simple_pc, startup: "ip 10.0.0.${n}/24" }`),
    ...switches.map((name) => `  ${name}: { kind: ethernet_switch }`),
    'links:\n  - ["PC1:0", "SW1:0"]',
    ...cables,
    `  - ["SW${length}:1", "PC2:0"]`,
  ].join('\n');
};
