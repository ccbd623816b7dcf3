// Lays the operations that clients of the v2 interface know (test/api/v2-operations.txt) and the table of routes side by side.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Operations that this version does not have, and why. */
export const NOT_SERVED = {
  'GET /v2/compute/projects/{project_id}/notifications':
    'The feed of one project for a controller in another process; there is none: `/v2/projects/{project_id}/notifications` has all of it.',
};

export const readOperations = (root) =>
  readFileSync(path.join(root, 'test/api/v2-operations.txt'), 'utf8').trim().split('\n');

/** `METHOD PATH` of every operation of an OpenAPI document. */
export const rowsOf = ({ paths }) =>
  new Set(
    Object.entries(paths).flatMap(([where, item]) => Object.keys(item).map((m) => `${m.toUpperCase()} ${where}`)),
  );

/** `{row, served, why}`; `why` null for one that nobody has an answer for. */
export const laidOut = (operations, rows) =>
  operations.map((row) => {
    if (rows.has(row)) return { row, served: true, why: '' };
    return { row, served: false, why: NOT_SERVED[row] ?? null };
  });

const groupOf = (row) => {
  if (/\/nodes/.test(row) && row.includes(' /v2/compute/')) return 'Nodes of the compute group';
  return row.includes(' /v2/compute/') ? 'Compute group' : 'Controller group';
};

/** Text of docs/reference/generated/v2-surface.md. */
export const surfacePage = (operations, rows) => {
  const all = laidOut(operations, rows);
  const served = all.filter((o) => o.served).length;
  const named = new Map();
  for (const operation of all) {
    const group = groupOf(operation.row);
    named.set(group, [...(named.get(group) ?? []), operation]);
  }
  return [
    '# The v2 surface',
    '',
    '<!-- Written by `npm run docs:v2` from test/api/v2-operations.txt and the table of routes; do not edit. -->',
    '',
    `Clients of the v2 interface know ${all.length} operations; ${served} of them are served. Kinds are named by their tokens here; the names`,
    'that existing tools use are understood in every path as well.',
    ...[...named].flatMap(([group, list]) => [
      '',
      `## ${group}`,
      '',
      '| Method | Path | Served |',
      '| --- | --- | --- |',
      ...list.map(({ row, served: is, why }) => {
        const [method, where] = row.split(' ');
        return `| ${method} | \`${where}\` | ${is ? 'yes' : `no. ${why ?? ''}`.trim()} |`;
      }),
    ]),
    '',
  ].join('\n');
};
