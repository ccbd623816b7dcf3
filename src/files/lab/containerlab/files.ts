import { posix as path } from 'node:path';
import { type GivenFile, givenFile, type GivenFiles, textOfFile } from '../given-files.ts';
import { type ClabMap, type Findings, mapOf, textOf, textsOf } from './values.ts';

/** Files that nodes of a containerlab topology name. Bound files are copied when the lab is applied. */

/** Without `./`, detours and slashes at the end. */
const normal = (name: string): string => (name === '' ? '' : path.normalize(name).replace(/(?<=[^/])\/+$/, ''));

export interface Bind {
  /** Path as the topology names it. */
  source: string;
  path: string;
}

const bindsOf = (keys: ClabMap): Bind[] =>
  textsOf(keys['binds']).map((bind) => {
    const [source = '', path = ''] = bind.split(':');
    return { source: normal(source), path };
  });

/** Name of the start-up file of a network system; null: none, or the text itself is given. */
const startUpFile = (keys: ClabMap): string | null => {
  const said = textOf(keys['startup-config']);
  return said === '' || said.includes('\n') ? null : normal(said);
};

/** Start-up text; null: none. */
export const startUpOf = (keys: ClabMap, name: string, files: GivenFiles, findings: Findings): string | null => {
  const file = startUpFile(keys);
  if (file === null) return textOf(keys['startup-config']) || null;
  return textBeside(file, ['topology', 'nodes', name, 'startup-config'], files, findings);
};

/** Text of a file that is needed; null: it is refused. */
const textBeside = (
  name: string,
  place: readonly PropertyKey[],
  files: GivenFiles,
  findings: Findings,
): string | null => {
  const file = givenFile(files, name);
  const text = file === undefined ? null : textOfFile(file);
  if (text === null) findings.refuse(place, `has ${name}, ${file === undefined ? missing(name) : 'which is no text'}`);
  return text;
};

/** The command line sends no files from outside. */
const missing = (source: string): string => {
  const sent =
    'topolog apply sends what is in the directory of the text, in the repository around it, or below --files-below DIR';
  return `a file that did not come with the text${source.startsWith('..') ? `; ${sent}` : ''}`;
};

/** Start-up files that network systems need beside the topology. */
export const startUpFilesOf = (keys: ClabMap): string[] =>
  [startUpFile(keys)].filter((file) => file !== null).filter(isBeside);

/** Files that a node needs beside the topology, from its binds and environment. Others are refused elsewhere. */
export const filesOfNode = (keys: ClabMap): string[] =>
  [...bindsOf(keys).map(({ source }) => source), ...textsOf(keys['env-files']).map(normal)].filter(isBeside);

const isBeside = (source: string): boolean => source !== '' && !source.startsWith('/') && !source.startsWith('~');

interface CopiedFile extends GivenFile {
  path: string;
  source: string;
}

export const copiesOf = (keys: ClabMap, name: string, files: GivenFiles, findings: Findings): CopiedFile[] => {
  const place = ['topology', 'nodes', name, 'binds'];
  return bindsOf(keys).flatMap((bind) => {
    if (!isBeside(bind.source) || !bind.path.startsWith('/')) {
      const why = isBeside(bind.source)
        ? 'must be like FILE:/PATH, with its place in the node'
        : `is of the machine; what can be copied into a node lies beside the lab's text, or in its repository`;
      findings.refuse(place, `has ${bind.source}:${bind.path}, which ${why}`);
      return [];
    }
    const found = below(files, bind);
    findings.grow(Object.keys(files).length + found.reduce((sum, { content }) => sum + content.length, 0));
    if (found.length === 0) findings.refuse(place, `has ${bind.source}, ${missing(bind.source)}`);
    else
      findings.noteOf(name, `${bind.source} is copied to ${bind.path}; what the node writes there does not come back`);
    return found;
  });
};

/** Copies of a file, or of every file of a directory. */
const below = (files: GivenFiles, { source, path: to }: Bind): CopiedFile[] => {
  const file = givenFile(files, source);
  if (file !== undefined) return [{ path: to, ...file, source }];
  const isInside = (name: string): boolean =>
    source === '.' ? isBeside(name) && !name.startsWith('../') : name.startsWith(`${source}/`);
  return Object.entries(files)
    .filter(([name]) => isInside(name))
    .map(([name, given]) => ({
      path: path.join(to, source === '.' ? name : name.slice(source.length)),
      ...(typeof given === 'string' ? { content: given } : given),
      source: name,
    }));
};

/** Variables from files, overridden by `env`. */
export const environmentOf = (keys: ClabMap, name: string, files: GivenFiles, findings: Findings): ClabMap => {
  const node = ['topology', 'nodes', name];
  const fromFiles = textsOf(keys['env-files'])
    .flatMap((source) => {
      const text = textBeside(normal(source), [...node, 'env-files'], files, findings) ?? '';
      findings.grow(text.length);
      return text.split('\n').map((line) => line.trim());
    })
    .filter((line) => line.includes('=') && !line.startsWith('#'))
    .map((line) => [line.slice(0, line.indexOf('=')).trim(), line.slice(line.indexOf('=') + 1)]);
  const own = mapOf(keys['env']);
  if (textOf(own['__IMPORT_ENVS']) !== '')
    findings.refuse(
      [...node, 'env', '__IMPORT_ENVS'],
      'is not possible here: no variables of the server are given to nodes',
    );
  for (const [variable, value] of Object.entries(own))
    if (/[\r\n]/.test(textOf(value)))
      findings.refuse(
        [...node, 'env', variable],
        'has several lines, and variables are one line each; give it as a file (binds)',
      );
  return { ...(Object.fromEntries(fromFiles) as ClabMap), ...own };
};
