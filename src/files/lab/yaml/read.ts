import { endOf } from '../ends.ts';
import type { Lab, LabDrawing, LabInput, LabLink, LabNode, LabReading } from '../model.ts';
import { checkedDocument, readDocument, type ReadDocument } from './document.ts';
import {
  type DrawingForm,
  KNOWN_KEYS,
  labForm,
  type LabForm,
  type LinkForm,
  type NodeForm,
  type Text,
} from './form.ts';

/** What a text of `lab.yaml` says. Errors name line, column and field, and what would be right. */
export const readLabText = ({ text, files }: LabInput): LabReading => {
  const read = readDocument(text);
  const form = checkedDocument(read, labForm, KNOWN_KEYS);
  const places = new Places(read, files);
  const nodes = Object.entries(form.nodes ?? {}).map(([name, node]) => nodeOf(places, name, node));
  refuseSameWas(read, nodes);
  const links = (form.links ?? []).map((link) => linkOf(link));
  refuseUnknownEnds(read, links, nodes);
  const { settings = {}, drawings, checks, weather, stages } = form;
  const lab: Lab = {
    name: form.lab,
    settings,
    nodes,
    links,
    ...(drawings === undefined ? {} : { drawings: drawings.map((one, i) => drawingOf(places, one, i)) }),
    ...(checks === undefined ? {} : { checks }),
    ...(weather === undefined ? {} : { weather: weather.map((entry, i) => withTrace(places, entry, i)) }),
    ...(stages === undefined ? {} : { stages }),
  };
  return { lab, notes: [], problemAt: read.problemAt };
};

/** Texts of other files, and where in this one they are named. */
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
    const found = Object.hasOwn(this.#files, name) ? this.#files[name] : undefined;
    if (found === undefined) throw this.#read.problemAt(path, `names ${name}, which was not given with the text`);
    return found;
  }

  refuse(path: PropertyKey[], problem: string): never {
    throw this.#read.problemAt(path, problem);
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
  if (gateway !== undefined && address === undefined) places.refuse([...path, 'gateway'], 'needs an address');
  return {
    ...same,
    name,
    ...(at === undefined ? {} : { x: at[0], y: at[1] }),
    ...(address === undefined ? {} : { addresses: withGateway(listOf(address), gateway) }),
    ...(startup === undefined ? {} : { startup: places.text(startup, [...path, 'startup']) }),
    properties: Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [
        key,
        isFile(value) ? places.text(value, [...path, 'properties', key]) : value,
      ]),
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

/** Behind the first address of its family. */
const withGateway = (addresses: readonly string[], gateway: string | undefined): string[] => {
  if (gateway === undefined) return [...addresses];
  const isSix = gateway.includes(':');
  const first = addresses.findIndex((one) => one.includes(':') === isSix);
  return addresses.map((one, i) => (i === Math.max(0, first) ? `${one} ${gateway}` : one));
};

const linkOf = (form: LinkForm): LabLink => {
  const { ends, filters = {}, ...rest } = Array.isArray(form) ? { ends: form } : form;
  return {
    ...rest,
    ends: [endOf(ends[0]), endOf(ends[1])],
    filters: Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, [...listOf(value)]])),
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

const refuseSameWas = (read: ReadDocument, nodes: readonly LabNode[]): void => {
  const seen = new Set<string>();
  for (const { name, was } of nodes) {
    if (was === undefined) continue;
    if (was === name || seen.has(was))
      throw read.problemAt(
        ['nodes', name, 'was'],
        `${was} is ${was === name ? 'its name already' : 'another node now'}`,
      );
    seen.add(was);
  }
};

const refuseUnknownEnds = (read: ReadDocument, links: readonly LabLink[], nodes: readonly LabNode[]): void => {
  const names = new Set(nodes.map(({ name }) => name));
  links.forEach(({ ends }, i) => {
    for (const { node } of ends)
      if (!names.has(node)) throw read.problemAt(['links', i], `names ${node}, which is no node of this lab`);
    if (ends[0].node === ends[1].node)
      throw read.problemAt(['links', i], `must join two nodes, not ${ends[0].node} to itself`);
  });
};

/** Names of the files that a text wants; of one that cannot be read: none. */
export const filesNamedIn = (text: string): string[] => {
  const found = new Set<string>();
  const look = (value: unknown): void => {
    if (isFile(value)) found.add(value.file);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(look);
  };
  try {
    look(readDocument(text).value);
  } catch {
    return [];
  }
  return [...found];
};
