import { type ClabMap, type Findings, isMap, type Value } from './values.ts';

/** Variables that containerlab replaces in some keys of a node (core/config.go), each by what it is here. */

/** Keys in which they are replaced; in all others they stay. */
const KEYS = ['binds', 'volumes', 'startup-config', 'exec', 'stages', 'extras'];

/** `file`: where keys of the node name files; its directory there is one beside the text here. */
export const withVariables = (keys: ClabMap, lab: string, node: string): ClabMap => {
  const long = `clab-${lab}`;
  const values: Readonly<Record<string, string>> = {
    __clabDir__: long,
    __clabLabName__: long,
    __clabNodeDir__: `${long}/${node}`,
    __clabNodeName__: node,
  };
  const replaced = (value: Value): Value => {
    if (typeof value === 'string') return value.replace(VARIABLE, (one) => values[one] ?? one);
    if (!isMap(value)) return value.map(replaced);
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one)]));
  };
  return Object.fromEntries(
    Object.entries(keys).map(([key, value]) => [key, KEYS.includes(key) ? replaced(value) : value]),
  );
};

const VARIABLE = /__clab(?:Dir|LabName|NodeDir|NodeName)__/g;

/** Notes variables that stay as they are written. */
export const noteVariables = (keys: ClabMap, node: string, findings: Findings): void => {
  for (const [key, value] of Object.entries(keys))
    for (const [one] of JSON.stringify(value).matchAll(/__clab[A-Za-z]+?__/g))
      findings.noteOf(node, `${one} stays as it is written in ${key}, as in containerlab`);
};
