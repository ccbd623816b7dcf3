// Lint: a file imports what scripts/house.mjs lets its room import, and types of any room above its own; comments begin with what they are about; no literal is
// spread to pack lines.
import path from 'node:path';
import { HOUSE } from './house.mjs';

const SRC = path.resolve(import.meta.dirname, '../src');
const rooms = new Map(HOUSE.map((line) => [line.room, line]));

/** As it is named in the table: a room, a folder or file in it; null: outside of src. */
const placeOf = (file) => {
  const place = path.relative(SRC, file).split(path.sep).join('/');
  return place.startsWith('../') ? null : place;
};

/** Whether an import or export brings types alone, which the compiled file has no trace of. */
const isOfTypes = ({ importKind, exportKind, specifiers = [] }) =>
  importKind === 'type' ||
  exportKind === 'type' ||
  (specifiers.length > 0 && specifiers.every((one) => one.importKind === 'type' || one.exportKind === 'type'));

/** Whether a place is in a room that stands above another one in the table. */
const isAbove = (place, room) => {
  const rank = (name) => HOUSE.findIndex((line) => line.room === name);
  const of = rank(place.split('/')[0]);
  return of >= 0 && of < rank(room);
};

const check = (context, node) => {
  const name = node.source?.value;
  const from = placeOf(context.filename);
  if (typeof name !== 'string' || from === null) return;
  const { room, imports } = rooms.get(from.split('/')[0]) ?? {};
  if (room === undefined) return;
  const report = (message) => context.report({ node: node.source, message });
  if (!name.startsWith('.')) {
    const owners = HOUSE.filter(({ owns = [] }) => owns.includes(name)).map((owner) => owner.room);
    if (owners.length > 0 && !owners.includes(room))
      report(`only ${owners.map((one) => `src/${one}`).join(' and ')} import ${name}`);
    return;
  }
  const to = placeOf(path.resolve(path.dirname(context.filename), name));
  if (to === null || [room, 'common', ...imports].some((place) => to === place || to.startsWith(`${place}/`))) return;
  if (isOfTypes(node) && isAbove(to, room)) return;
  report(`${room} may import only ${imports.join(', ') || 'nothing'}, and types of rooms above it (scripts/house.mjs)`);
};

/** A comment that begins with one of these has its subject in another place. */
const OPENERS = /^[\s*]*(Of|Those|So|Who|What)\b/;

const checkComments = (context) => ({
  Program: () => {
    let before;
    for (const comment of context.sourceCode.getAllComments()) {
      const { type, value, loc } = comment;
      // The lines of one comment: only the first has its opener.
      const goesOn =
        type === 'Line' &&
        before?.type === 'Line' &&
        before.loc.end.line === loc.start.line - 1 &&
        before.loc.start.column === loc.start.column;
      before = comment;
      const [, opener] = goesOn ? [] : (OPENERS.exec(value) ?? []);
      if (opener !== undefined)
        context.report({ loc, message: `begin a comment with a verb or the thing, not with ${opener}` });
    }
  },
});

const isLiteral = ({ type }) => type === 'ObjectExpression' || type === 'ArrayExpression';
/** Flags with their values stay together in the arguments of a command: `...['-m', memory]`. */
const isFlag = ({ elements: [first] = [] }) => typeof first?.value === 'string' && first.value.startsWith('-');

const checkSpreads = (context) => ({
  SpreadElement: (node) => {
    const { argument } = node;
    const spread = argument.type === 'TSAsExpression' ? argument.expression : argument;
    if (isLiteral(spread) && isLiteral(node.parent) && !isFlag(spread))
      context.report({ node, message: 'write the members of a literal where they stand, one a line' });
  },
});

export default {
  meta: { name: 'house' },
  rules: {
    comments: { create: checkComments },
    spreads: { create: checkSpreads },
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
