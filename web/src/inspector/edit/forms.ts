import { useEffect, useState } from 'react';
import type { Client } from 'topolog/client';
import { sentenceOf } from '../../store/notices.ts';
import { kindTitles, titles } from '../../words/titles.ts';
import { type Schema, type Spec, specsOf } from '../form/spec.ts';

/** Forms for the server's records, read from its OpenAPI document. */
export interface Forms {
  /** Properties of a kind; empty for a kind that the server does not know. */
  readonly properties: (nodeType: string) => readonly Spec[];
  /** Fields of the node itself; which consoles it can have depends on its kind. */
  readonly node: (nodeType: string) => readonly Spec[];
  /** Fields of its templates: those that all templates have, and those of the kind. */
  readonly template: (nodeType: string) => TemplateSpecs;
  /** Every kind, by the name that the server's answers have. */
  readonly kinds: readonly KindName[];
  readonly link: readonly Spec[];
  readonly drawing: readonly Spec[];
  readonly project: readonly Spec[];
  readonly check: CheckForms;
}

/** Fields of a check: those of what it looks at, by its name, and the rest. */
export interface CheckForms {
  readonly own: readonly Spec[];
  readonly subjects: Readonly<Record<string, readonly Spec[]>>;
}

export interface TemplateSpecs {
  readonly own: readonly Spec[];
  readonly ofKind: readonly Spec[];
}

export interface KindName {
  readonly name: string;
  readonly alias: string;
  /** Its images are files of the server. */
  readonly images: boolean;
}

interface KindEntry extends KindName {
  readonly titles?: Readonly<Record<string, string>>;
  /** Settings of its templates. */
  readonly template: readonly string[];
  readonly properties: Schema;
  readonly console_types: readonly string[];
  /** Settings of its node that only some kinds have. */
  readonly settings: readonly string[];
}
export interface OpenApi {
  readonly 'x-kinds'?: readonly KindEntry[];
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const memo = <T>(make: (key: string) => T): ((key: string) => T) => {
  const known = new Map<string, T>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
};

const CONSOLE = /^console/;
const SOME = new Set(['port_name_format', 'port_segment_size', 'first_port_name', 'custom_adapters']);

const withConsoles = (spec: Spec, types: readonly string[]): Spec =>
  spec.key === 'console_type'
    ? { ...spec, isNullable: false, options: spec.options.filter(({ value }) => types.includes(value)) }
    : spec;

export const formsOf = ({ 'x-kinds': kinds = [], components: { schemas } }: OpenApi): Forms => {
  const resolve = (schema: Schema): Schema => schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
  const named = (name: string): readonly Spec[] => specsOf(schemas[name] ?? {});
  const kindOf = (type: string): KindEntry | undefined =>
    kinds.find(({ name, alias }) => name === type || alias === type);
  const node = named('NodeUpdate');
  const properties = memo((type) => specsOf(resolve(kindOf(type)?.properties ?? {})));
  const ofNode = memo((type) => {
    const { console_types: types = [], settings = [] } = kindOf(type) ?? {};
    const own = node.filter(({ key }) => !SOME.has(key) || settings.includes(key));
    return types.length === 0
      ? own.filter(({ key }) => !CONSOLE.test(key))
      : own.map((spec) => withConsoles(spec, types));
  });
  return {
    properties,
    node: ofNode,
    template: memo((type) => {
      const { template: keys = [] } = kindOf(type) ?? {};
      const has = ({ key, file }: Spec): boolean => keys.includes(key) && file === null;
      const own = named('TemplateUpdate');
      return {
        own: [...own, ...ofNode(type).filter((spec) => has(spec) && !own.some(({ key }) => key === spec.key))],
        // A template does not run.
        ofKind: properties(type)
          .filter((spec) => has(spec) && !spec.isUnique)
          .map((spec) => ({ ...spec, needsStop: false })),
      };
    }),
    kinds: kinds.map(({ name, alias, images }) => ({ name, alias, images })),
    link: named('LinkUpdate'),
    drawing: named('DrawingUpdate'),
    project: named('ProjectUpdate'),
    check: checkForms(resolve(schemas['CheckCreate'] ?? {}), resolve),
  };
};

/** Members of a check that have properties of their own are its subjects. */
const checkForms = (check: Schema, resolve: (schema: Schema) => Schema): CheckForms => {
  const parts = Object.entries(check.properties ?? {}).map(([key, schema]) => [key, resolve(schema)] as const);
  const subjects = parts.filter(([, { properties }]) => properties !== undefined);
  const names = new Set(subjects.map(([name]) => name));
  return {
    own: specsOf(check).filter(({ key }) => !names.has(key)),
    subjects: Object.fromEntries(subjects.map(([name, schema]) => [name, specsOf(schema)])),
  };
};

/** Records that events and differences tell of. */
const TOLD = ['Project', 'Node', 'Link', 'Drawing'];

/** Titles of fields, from the first record that has each; settings of kinds after those of nodes. */
export const titlesOf = ({ 'x-kinds': kinds = [], components: { schemas } }: OpenApi): ReadonlyMap<string, string> => {
  const named = [...TOLD, ...kinds.map(({ properties }) => properties.$ref?.split('/').at(-1) ?? '')];
  const found = new Map<string, string>();
  for (const name of named)
    for (const [key, { title }] of Object.entries(schemas[name]?.properties ?? {}))
      if (title !== undefined && !found.has(key)) found.set(key, title);
  return found;
};

const kindTitlesOf = ({ 'x-kinds': kinds = [] }: OpenApi): ReadonlyMap<string, Readonly<Record<string, string>>> =>
  new Map(kinds.flatMap(({ name, alias, titles: called = {} }) => [name, alias].map((one) => [one, called] as const)));

const known = new WeakMap<Client, Promise<Forms>>();

/** Read once, when the first form is wanted. */
const readForms = (client: Client): Promise<Forms> => {
  const reading =
    known.get(client) ??
    client.get('/v2/openapi.json').then((answer) => {
      const document = answer as unknown as OpenApi;
      titles.set(titlesOf(document));
      kindTitles.set(kindTitlesOf(document));
      return formsOf(document);
    });
  known.set(client, reading);
  // The server may answer again later.
  reading.catch(() => known.delete(client));
  return reading;
};

/** Forms of the server's records, once they are read. */
export const useForms = (client: Client): { readonly forms: Forms | null; readonly problem: string | null } => {
  const [state, setState] = useState<{ forms: Forms | null; problem: string | null }>({ forms: null, problem: null });
  useEffect(() => {
    let isWanted = true;
    readForms(client).then(
      (forms) => {
        if (isWanted) setState({ forms, problem: null });
      },
      (error: unknown) => {
        if (isWanted) setState({ forms: null, problem: sentenceOf(error) });
      },
    );
    return () => {
      isWanted = false;
    };
  }, [client]);
  return state;
};
