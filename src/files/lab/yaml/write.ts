import { Document, isMap, isPair, isScalar, isSeq, stringify, visit, type ToStringOptions } from 'yaml';
import { type CheckForm, sentenceOf } from '../../../common/forms/check.ts';
import { durationText } from '../../../common/forms/duration.ts';
import { endText } from '../ends.ts';
import type { Lab, LabDrawing, LabLink, LabNode } from '../model.ts';

/** The lab as the form has it, in the order in which people read it. */
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

/** A check as people write it: as a sentence where one says it. */
export const checkText = (check: CheckForm): string | CheckForm => sentenceOf(check) ?? check;

/** A check, an entry of the weather, or a stage, in one line. */
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

/** Gateways are said beside the addresses: each is of the first one of its family. */
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

/** Keys of the weather's form whose values are durations. */
const TIMES = new Set(['at', 'for', 'every', 'down', 'up']);

/** Weather with durations as people write them. */
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

/** The text of a lab in this format; all of a lab can be said in it. */
export const writeLabText = (lab: Lab): { text: string; notes: string[] } => {
  const document = new Document(formOf(lab));
  document.commentBefore = HEAD;
  styled(document.contents);
  return { text: textOf(document), notes: [] };
};

/** Lines are as long as what they say. */
export const textOf = (document: Document, more: ToStringOptions = {}): string =>
  document.toString({ lineWidth: 0, flowCollectionPadding: false, ...more });

/** As many characters of a collection stand in one line. */
const SHORT = 60;

const isFlat = (node: unknown): boolean =>
  isSeq(node)
    ? node.items.every(isScalar)
    : isMap(node) && node.items.every(({ value }) => isScalar(value) || (isSeq(value) && value.items.every(isScalar)));

/** Small collections stand in a line, but for those that a lab or a node is made of. `depth`: how deep the value stands in the text. */
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

/** Members of nodes and drawings; links are lists one level above. */
const FIRST_IN_LINE = 3;
