import { Document, isMap, isPair, isScalar, isSeq, stringify, visit, type ToStringOptions } from 'yaml';
import { type CheckForm, sentenceOf } from '../../../common/forms/check.ts';
import { durationText } from '../../../common/forms/duration.ts';
import { endText } from '../ends.ts';
import type { Lab, LabDrawing, LabLink, LabNode } from '../model.ts';

/** The lab in the form of the text, in reading order. */
const formOf = (lab: Lab): Record<string, unknown> => ({
  lab: lab.name,
  version: 1,
  ...(isEmpty(lab.settings) ? {} : { settings: lab.settings }),
  nodes: Object.fromEntries(lab.nodes.map((node) => [node.name, nodeForm(node)])),
  links: lab.links.map(linkForm),
  ...(isEmpty(lab.drawings) ? {} : { drawings: lab.drawings?.map(drawingForm) }),
  ...(isEmpty(lab.checks) ? {} : { checks: lab.checks?.map(checkText) }),
  ...(isEmpty(lab.weather) ? {} : { weather: withTimes(lab.weather) }),
  ...(isEmpty(lab.stages) ? {} : { stages: lab.stages }),
});

/** Text of a check: a sentence where possible. */
export const checkText = (check: CheckForm): string | CheckForm => sentenceOf(check) ?? check;

/** One line for a check, an entry of the weather, or a stage. */
export const lessonLine = (of: string, value: unknown): string => {
  const said = of === 'checks' ? checkText(value as CheckForm) : of === 'weather' ? withTimes(value) : value;
  return typeof said === 'string' ? said : stringify(said, { collectionStyle: 'flow', lineWidth: 0 }).trimEnd();
};

const isEmpty = (value: object | undefined): boolean => value === undefined || Object.keys(value).length === 0;

export const nodeForm = ({
  name: _,
  x,
  y,
  addresses,
  startup,
  properties,
  files,
  ...node
}: LabNode): Record<string, unknown> => {
  const { kind, template, was, compute, ...rest } = node;
  const said = Object.entries({ kind, template, was, compute }).filter(([, value]) => value !== undefined);
  const [bare, gateways] = withoutGateways(addresses ?? []);
  return {
    ...Object.fromEntries(said),
    ...(x === undefined || y === undefined ? {} : { at: [x, y] }),
    ...rest,
    ...(bare.length === 0 ? {} : { address: oneOrMore(bare) }),
    ...(gateways.length === 0 ? {} : { gateway: oneOrMore(gateways) }),
    ...(startup === undefined ? {} : { startup }),
    ...(isEmpty(properties) ? {} : { properties }),
    ...(isEmpty(files) ? {} : { files }),
  };
};

/** Splits addresses from their gateways, each of which belongs to the first address of its family. */
const withoutGateways = (addresses: readonly string[]): [string[], string[]] => {
  const pairs = addresses.map((one) => one.split(' '));
  return [pairs.map(([address = '']) => address), pairs.flatMap(([, gateway]) => gateway ?? [])];
};

const oneOrMore = (list: readonly string[]): unknown => (list.length === 1 ? list[0] : list);

export const linkForm = ({ ends, filters, ...link }: LabLink): unknown => {
  const texts = ends.map(endText);
  if (isEmpty(filters) && isEmpty(link)) return texts;
  const short = Object.entries(filters).map(([name, values]): [string, unknown] => [
    name,
    values.length === 1 ? values[0] : values,
  ]);
  return { ends: texts, ...(short.length === 0 ? {} : { filters: Object.fromEntries(short) }), ...link };
};

export const drawingForm = ({ x, y, z, rotation, ...drawing }: LabDrawing): Record<string, unknown> => ({
  at: [x, y],
  ...(z === 2 ? {} : { z }),
  ...(rotation === 0 ? {} : { rotation }),
  ...drawing,
});

/** Keys of weather entries whose values are durations. */
const TIMES = new Set(['at', 'for', 'every', 'down', 'up']);

/** Replaces milliseconds by durations as texts. */
export const withTimes = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withTimes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      TIMES.has(key) && typeof inner === 'number' ? durationText(inner) : withTimes(inner),
    ]),
  );
};

const HEAD = ' yaml-language-server: $schema=lab.schema.json';

/** Writes a lab in this format, which can express all of it. */
export const writeLabText = (lab: Lab): { text: string; notes: string[] } => {
  const document = new Document(formOf(lab));
  document.commentBefore = HEAD;
  styled(document.contents);
  return { text: textOf(document), notes: [] };
};

/** Lines are not wrapped. */
export const textOf = (document: Document, more: ToStringOptions = {}): string =>
  document.toString({ lineWidth: 0, flowCollectionPadding: false, ...more });

/** Maximum of characters of a collection on one line. */
const SHORT = 60;

const isFlat = (node: unknown): boolean =>
  isSeq(node)
    ? node.items.every(isScalar)
    : isMap(node) && node.items.every(({ value }) => isScalar(value) || (isSeq(value) && value.items.every(isScalar)));

/**
 * Puts small collections on one line, except top-level ones and those of nodes. `depth`: nesting depth of the value
 * in the text.
 */
export const styled = (value: unknown, depth = 0): void => {
  visit(value as Document['contents'], {
    Collection(_, node, path) {
      const level = depth + path.filter(isPair).length + path.filter(isSeq).length;
      if (
        level < (isSeq(node) ? FIRST_IN_LINE - 1 : FIRST_IN_LINE) ||
        !isFlat(node) ||
        JSON.stringify(node.toJSON()).length > SHORT
      )
        return undefined;
      node.flow = true;
      return visit.SKIP;
    },
  });
};

/** Depth of members of nodes and drawings; links are lists one level above. */
const FIRST_IN_LINE = 3;
