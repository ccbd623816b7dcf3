import type { z } from 'zod';
import {
  checkEntry,
  type CheckForm,
  type LinkName,
  renamed,
  stageForm,
  type StageForm,
} from '../../../common/forms/check.ts';
import { weatherForm, type WeatherForm } from '../../../common/forms/weather.ts';
import { endOf } from '../ends.ts';
import { givenFile, textOfFile } from '../given-files.ts';
import type { Lab, LabDrawing, LabInput, LabLink, LabNode, LabReading, CheckLab } from '../model.ts';
import { isSix, withGateways } from '../start-up.ts';
import { checkedDocument, readDocument, type ReadDocument } from './document.ts';
import { expanded } from './expand.ts';
import {
  type DrawingForm,
  labForm,
  type LabForm,
  checksForm,
  linkForm,
  type LinkForm,
  nodeForm,
  type NodeForm,
  type Text,
} from './form.ts';

/**
 * Reads a text of `lab.yaml`. Errors name line, column and field, and what would be right; all problems are reported
 * at once. `look`: finds further problems of nodes and ports when the text is refused anyway.
 */
export const readLabText = ({ text, files }: LabInput, look?: CheckLab): LabReading => {
  const { read, notes } = expanded(readDocument(text, { gathers: true }), files);
  const { placeOf, problemAt, problems } = read;
  const places = new Places(read, files);
  read.value = withTexts(places, read.value);
  const form = checkedDocument(read, labForm);
  const parts = form === null ? partsOf(read) : allOf(form);
  const nodes = Object.entries(parts.nodes).map(([name, one]) => nodeOf(places, name, one));
  refuseSameWas(places, nodes);
  const links = parts.links.map(([i, one]): [number, LabLink] => [i, linkOf(one)]);
  const names = namesOf(read);
  refuseUnknownEnds(places, links, names);
  for (const { path, problem } of unknownNames(names, parts)) places.refuse(path, problem);
  const rest = form === null ? {} : restOf(places, form);
  if (!problems.isEmpty) {
    const isAll = parts.checks.length > 0 && parts.checks.length === entriesOf(read.value, 'checks').length;
    const checks = isAll ? { checks: parts.checks.map(([, check]) => check) } : {};
    const found = look?.({ nodes, links, ...checks, stages: parts.stages }, problemAt) ?? [];
    for (const error of found) problems.add(error);
  }
  problems.refuse();
  const { lab: name = '', settings = {} } = form ?? {};
  const lab: Lab = { name, settings, nodes, links: links.map(([, one]) => one), ...rest };
  return { lab, notes, placeOf };
};

/** Reads a text that has nothing but `checks`. */
export const readChecks = (text: string): readonly CheckForm[] => {
  const read = readDocument(text, { gathers: true });
  const form = checkedDocument(read, checksForm);
  read.problems.refuse();
  return form?.checks ?? [];
};

const restOf = (places: Places, { drawings, checks, weather, stages }: LabForm): Partial<Lab> => ({
  ...(drawings === undefined ? {} : { drawings: drawings.map((one, i) => drawingOf(places, one, i)) }),
  ...(checks === undefined ? {} : { checks }),
  ...(weather === undefined ? {} : { weather: weather.map((entry, i) => withTrace(places, entry, i)) }),
  ...(stages === undefined ? {} : { stages }),
});

/** Entries of a member that is a map or list; otherwise none. */
const entriesOf = (value: unknown, key: string): [string, unknown][] => {
  const found: unknown = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : null;
  return typeof found === 'object' && found !== null ? Object.entries(found) : [];
};

/** Parts of a text that contain or refer to names, with their indexes. */
interface Parts {
  nodes: Record<string, NodeForm>;
  links: [number, LinkForm][];
  checks: [number, CheckForm][];
  weather: [number, WeatherForm][];
  stages: [number, StageForm][];
}

const allOf = ({ nodes = {}, links = [], checks = [], weather = [], stages = [] }: LabForm): Parts => ({
  nodes,
  links: [...links.entries()],
  checks: [...checks.entries()],
  weather: [...weather.entries()],
  stages: [...stages.entries()],
});

/** Valid parts of an invalid text, so that their references are checked as well. */
const partsOf = ({ value }: ReadDocument): Parts => ({
  nodes: Object.fromEntries(rightOf(value, 'nodes', nodeForm)),
  links: placed(rightOf(value, 'links', linkForm)),
  checks: placed(rightOf(value, 'checks', checkEntry)),
  weather: placed(rightOf(value, 'weather', weatherForm)),
  stages: placed(rightOf(value, 'stages', stageForm)),
});

const rightOf = <S extends z.ZodType>(value: unknown, key: string, schema: S): [string, z.output<S>][] =>
  entriesOf(value, key).flatMap(([name, one]): [string, z.output<S>][] => {
    const { success, data } = schema.safeParse(one);
    return success ? [[name, data]] : [];
  });

const placed = <T>(entries: readonly [string, T][]): [number, T][] => entries.map(([i, one]) => [Number(i), one]);

/** Names of all nodes of the text, including invalid ones. */
const namesOf = ({ value }: ReadDocument): ReadonlySet<string> =>
  new Set(entriesOf(value, 'nodes').map(([name]) => name));

/** Texts of other files, and the problems of places that refer to them. */
class Places {
  readonly #read: ReadDocument;
  readonly #files: LabInput['files'];

  constructor(read: ReadDocument, files: LabInput['files']) {
    this.#read = read;
    this.#files = files;
  }

  text(given: Text, path: PropertyKey[]): string {
    return typeof given === 'string' ? given : this.file(given.file, [...path, 'file']);
  }

  file(name: string, path: PropertyKey[]): string {
    const found = givenFile(this.#files, name);
    if (found === undefined) this.refuse(path, `names ${name}, which was not given with the text`);
    const text = found === undefined ? name : textOfFile(found);
    if (text === null) this.refuse(path, `names ${name}, which is no text`);
    // A text that is not empty, as its absence is told already.
    return text ?? name;
  }

  /** Replaces files in a value by what they hold; beside a `content` stands how its file has it. */
  filled(value: unknown, path: PropertyKey[]): unknown {
    if (isFile(value)) return this.text(value, path);
    if (Array.isArray(value)) return value.map((one, i) => this.filled(one, [...path, i]));
    if (typeof value !== 'object' || value === null) return value;
    const { content } = value as { content?: unknown };
    const file = isFile(content) ? givenFile(this.#files, content.file) : undefined;
    const given = Object.entries(value).filter(([key]) => file === undefined || key !== 'content');
    // A trace says itself that it has a file.
    const isTrace = (key: string): boolean => key === 'trace' && path[0] === 'weather';
    const fill = (key: string, one: unknown): unknown => (isTrace(key) ? one : this.filled(one, [...path, key]));
    return { ...file, ...Object.fromEntries(given.map(([key, one]) => [key, fill(key, one)])) };
  }

  refuse(path: PropertyKey[], problem: string): void {
    const { problems, problemAt } = this.#read;
    if (!problems.isFull) problems.add(problemAt(path, problem));
  }
}

const isFile = (value: unknown): value is { file: string } =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length === 1 &&
  typeof (value as { file?: unknown }).file === 'string';

const listOf = <T>(given: T | readonly T[]): readonly T[] =>
  Array.isArray(given) ? (given as readonly T[]) : [given as T];

const nodeOf = (places: Places, name: string, form: NodeForm): LabNode => {
  const { at, address, gateway, startup, properties = {}, files, ...same } = form;
  const path = ['nodes', name];
  const [addresses, gateways] = [listOf(address ?? []), listOf(gateway ?? [])];
  refuseGateways(places, [...path, 'gateway'], addresses, gateways);
  return {
    ...same,
    name,
    ...(at === undefined ? {} : { x: at[0], y: at[1] }),
    ...(address === undefined ? {} : { addresses: withGateways(addresses, gateways) }),
    ...(startup === undefined ? {} : { startup: places.text(startup, [...path, 'startup']) }),
    properties: Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [key, places.filled(value, [...path, 'properties', key])]),
    ),
    ...(files === undefined
      ? {}
      : {
          files: Object.fromEntries(
            Object.entries(files).map(([key, value]) => [key, places.text(value, [...path, 'files', key])]),
          ),
        }),
  };
};

const refuseGateways = (
  places: Places,
  path: PropertyKey[],
  addresses: readonly string[],
  gateways: readonly string[],
): void => {
  for (const [i, gateway] of gateways.entries()) {
    const isOfIts = (one: string): boolean => isSix(one) === isSix(gateway);
    if (!addresses.some(isOfIts)) places.refuse(path, `needs an address of the family of ${gateway}`);
    else if (gateways.findIndex(isOfIts) !== i) places.refuse(path, 'must be one address of each family at most');
  }
};

const linkOf = (form: LinkForm): LabLink => {
  const { ends, filters = {}, ...rest } = Array.isArray(form) ? { ends: form } : form;
  return {
    ...rest,
    ends: [endOf(ends[0]), endOf(ends[1])],
    filters,
  };
};

const drawingOf = (
  places: Places,
  { svg, at = [0, 0], z = 2, rotation = 0, locked }: DrawingForm,
  i: number,
): LabDrawing => ({
  svg: places.text(svg, ['drawings', i, 'svg']),
  x: at[0],
  y: at[1],
  z,
  rotation,
  ...(locked === undefined ? {} : { locked }),
});

type Weather = NonNullable<LabForm['weather']>[number];

const withTrace = (places: Places, entry: Weather, i: number): Weather =>
  entry.trace?.file === undefined
    ? entry
    : { ...entry, trace: { csv: places.file(entry.trace.file, ['weather', i, 'trace', 'file']) } };

const refuseSameWas = (places: Places, nodes: readonly LabNode[]): void => {
  const seen = new Set<string>();
  for (const { name, was } of nodes) {
    if (was === undefined) continue;
    if (was === name || seen.has(was))
      places.refuse(['nodes', name, 'was'], `${was} is ${was === name ? 'its name already' : 'another node now'}`);
    seen.add(was);
  }
};

const refuseUnknownEnds = (places: Places, links: readonly [number, LabLink][], names: ReadonlySet<string>): void => {
  for (const [i, { ends }] of links) {
    const [one, other] = [ends[0].node, ends[1].node];
    for (const node of new Set([one, other]))
      if (!names.has(node)) places.refuse(['links', i], `names ${node}, which is no node of this lab`);
    if (one === other && names.has(one)) places.refuse(['links', i], `must join two nodes, not ${one} to itself`);
  }
};

/** Parts of a text where each text can be in a file; those of nodes and drawings are taken where they are read. */
const WITH_TEXTS = ['settings', 'checks', 'stages', 'weather'];

const withTexts = (places: Places, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, WITH_TEXTS.includes(key) ? places.filled(one, [key]) : one]),
  );
};

/** Files that a text needs, and those that it includes; none for a text that cannot be read. */
export const filesNamedIn = (text: string, files: LabInput['files'] = {}): string[] => {
  const found = new Set<string>();
  const look = (value: unknown): void => {
    if (isFile(value)) found.add(value.file);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(look);
  };
  try {
    const { read, includes } = expanded(readDocument(text, { gathers: true }), files, true);
    for (const name of includes) found.add(name);
    look(read.value);
  } catch {
    return [];
  }
  return [...found];
};

/** Checks and weather with their indexes in the text. */
interface Lessons {
  checks: readonly (readonly [number, CheckForm])[];
  weather: readonly (readonly [number, WeatherForm])[];
}

interface UnknownName {
  path: PropertyKey[];
  problem: string;
}

/** References of checks and weather to nodes that the text does not have. Ids are not checked here. */
const unknownNames = (nodes: ReadonlySet<string>, { checks, weather }: Lessons): UnknownName[] => {
  const found: UnknownName[] = [];
  const node = (path: PropertyKey[], name: string): void => {
    if (!nodes.has(name) && !ID.test(name))
      found.push({ path, problem: `names ${name}, which is no node of this lab` });
  };
  const link = (path: PropertyKey[], given: LinkName): void => {
    for (const end of [given].flat()) if (!nodes.has(end)) node(path, endOf(end).node);
  };
  for (const [i, check] of checks)
    renamed(check, {
      node: (name) => (node(['checks', i], name), name),
      link: (name) => (link(['checks', i], name), name),
    });
  for (const [i, { links = [], crash = [] }] of weather) {
    for (const name of links) link(['weather', i, 'links'], name);
    for (const name of crash) node(['weather', i, 'crash'], name);
  }
  return found;
};

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
