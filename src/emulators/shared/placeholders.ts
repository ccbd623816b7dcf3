import { LENGTHS } from '../../common/bounds.ts';
import { conflict } from '../../common/errors.ts';
import type { KindNode } from '../kit/contract.ts';

/** `%vm-name%` and its like, and `${NAME}` for a variable of the project. What is neither stays. */
const PLACEHOLDER = /%([a-z]+-[a-z]+)%|\$\{([^{}]+)\}/g;

type Owner = Pick<KindNode, 'name' | 'node_id' | 'project_id' | 'console' | 'project'>;

/** Replaces the placeholders of a setting. Throws a conflict that names `field` when the text becomes too long. */
export type FillIn = (text: string, field: string) => string;

/** For what is only looked at. */
export const asWritten: FillIn = (text) => text;

/** The node's texts. `escaped`: a value as the text can have it. */
export const fillInFor = (node: Owner, escaped: (value: string) => string = (value) => value): FillIn => {
  const known = knownOf(node);
  const variables = new Map(variablesOf(node));
  return replacing((name, variable) => {
    const value = variable === undefined ? known[name ?? ''] : variables.get(variable);
    return value === undefined ? undefined : escaped(value);
  });
};

/** Variables of the project that have a name, the later of two. A value may hold other variables as they were given. */
export const variablesOf = (node: Owner): [name: string, value: string][] => {
  const given = (node.project?.variables ?? []).filter(({ name }) => /^[^=\0]+$/.test(name));
  const values = new Map(given.map(({ name, value = '' }) => [name, value]));
  const fill = replacing((_, variable) => (variable === undefined ? undefined : values.get(variable)));
  return [...values].map(([name, value]) => [name, fill(value, `variable ${name}`)]);
};

const knownOf = ({ name, node_id, project_id, console, project }: Owner): Readonly<Record<string, string>> => ({
  'vm-name': name,
  'vm-id': node_id,
  'project-id': project_id,
  ...(console === null ? {} : { 'console-port': String(console) }),
  ...(project === undefined ? {} : { 'project-name': project.name, 'project-path': project.path }),
});

/** In one pass: what a value brings is not looked at again. */
const replacing =
  (valueOf: (name: string | undefined, variable: string | undefined) => string | undefined): FillIn =>
  (text, field) => {
    let { length } = text;
    return text.replace(PLACEHOLDER, (whole: string, name?: string, variable?: string) => {
      const value = valueOf(name, variable);
      if (value === undefined) return whole;
      length += value.length;
      if (length <= LENGTHS.text) return value;
      throw conflict(`${field} has more than ${LENGTHS.text} characters with its placeholders replaced`, { field });
    });
  };

/** A text as it would be with harmless values in place of its placeholders. */
export const withPlainValues = (text: string): string => text.replace(PLACEHOLDER, 'x');
