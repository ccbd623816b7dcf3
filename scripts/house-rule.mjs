// Lint: a file imports what scripts/house.mjs lets its room import.
import path from 'node:path';
import { HOUSE } from './house.mjs';

const SRC = path.resolve(import.meta.dirname, '../src');
const rooms = new Map(HOUSE.map((line) => [line.room, line]));

/** As it is named in the table: a room, a folder or file in it; null: outside of src. */
const placeOf = (file) => {
  const place = path.relative(SRC, file).split(path.sep).join('/');
  return place.startsWith('../') ? null : place;
};

const check = (context, node) => {
  const name = node.source?.value;
  const from = placeOf(context.filename);
  if (typeof name !== 'string' || from === null) return;
  const { room, imports } = rooms.get(from.split('/')[0]) ?? {};
  if (room === undefined) return;
  const report = (message) => context.report({ node: node.source, message });
  if (!name.startsWith('.')) {
    const owner = HOUSE.find(({ owns = [] }) => owns.includes(name));
    if (owner !== undefined && owner.room !== room) report(`only src/${owner.room} imports ${name}`);
    return;
  }
  const to = placeOf(path.resolve(path.dirname(context.filename), name));
  if (to === null || [room, 'common', ...imports].some((place) => to === place || to.startsWith(`${place}/`))) return;
  report(`${room} may import only ${imports.join(', ') || 'nothing'} (scripts/house.mjs)`);
};

export default {
  meta: { name: 'house' },
  rules: {
    imports: {
      create: (context) =>
        Object.fromEntries(
          ['ImportDeclaration', 'ImportExpression', 'ExportNamedDeclaration', 'ExportAllDeclaration'].map((type) => [
            type,
            (node) => check(context, node),
          ]),
        ),
    },
  },
};
