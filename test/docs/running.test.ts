import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { readConfig } from '../../src/server/config.ts';

const RUNNING = 'examples/running';
const read = (...name: string[]): string => readFileSync(path.join(...name), 'utf8');

/** Of a cell, as its files set it. */
const CELL = {
  TOPOLOG_LOG: 'postgres://topolog@db1,db2/labs',
  TOPOLOG_CELL: 'school',
  TOPOLOG_CELL_KEY: Buffer.alloc(32).toString('base64'),
};

/** The command of a unit, without the program; `%i` as of the instance `school`. */
const unitArguments = (name: string): string[] => {
  const [, command = ''] = /^ExecStart=\S+ \S+ serve ((?:.*\\\n)*.*)$/m.exec(read(RUNNING, 'systemd', name)) ?? [];
  return command.replaceAll('\\\n', ' ').replaceAll('%i', 'school').split(/\s+/).filter(Boolean);
};

describe('examples/running', () => {
  for (const name of readdirSync(path.join(RUNNING, 'systemd')))
    it(`${name} gives the server flags that it has`, () => {
      const args = unitArguments(name);
      const config = readConfig(args, CELL);
      assert.ok(args.length > 4);
      assert.deepEqual(config?.allowHosts, ['lab.example.org']);
      assert.match(config.dataDir, /^\/var\/lib\/topolog/);
      const [, state] = /^StateDirectory=(\S+)$/m.exec(read(RUNNING, 'systemd', name)) ?? [];
      assert.equal(config.dataDir, `/var/lib/${state?.replace('%i', 'school')}`);
    });

  for (const name of readdirSync(path.join(RUNNING, 'systemd')))
    it(`${name} starts where there is no group kvm, and counts as started once the server says so`, () => {
      const text = read(RUNNING, 'systemd', name);
      assert.doesNotMatch(text, /^SupplementaryGroups=/m);
      assert.match(text, /^Type=notify$/m);
      // A child sends it.
      assert.match(text, /^NotifyAccess=all$/m);
    });

  it('compose.yaml gives both servers flags that they have, and names files that are there', () => {
    const text = read(RUNNING, 'compose.yaml');
    const commands = [...text.matchAll(/^ {4}command:\n((?: {6}- .+\n)+)/gm)].map(([, lines = '']) =>
      lines
        .split('\n')
        .map((line) => line.replace(/^ *- /, ''))
        .filter((line) => line !== ''),
    );
    assert.equal(commands.length, 2);
    for (const [serve, ...args] of commands) {
      assert.equal(serve, 'serve');
      const config = readConfig(args, CELL);
      assert.deepEqual(config?.allowHosts, ['lab.example.org']);
      assert.match(config.cell?.advertise ?? '', /^http:\/\/lab[12]:3080$/);
    }
    for (const [, file = ''] of text.matchAll(/- \.\/((?:nginx|postgres)\/[\w.-]+):/g))
      assert.ok(existsSync(path.join(RUNNING, file)), file);
  });

  it('has a Dockerfile whose command the server takes, and which copies what is there', () => {
    const text = read('Dockerfile');
    const [, command = ''] = /^CMD (\[.*\])$/m.exec(text) ?? [];
    const [serve, ...args] = JSON.parse(command) as string[];
    assert.equal(serve, 'serve');
    const env = Object.fromEntries([...text.matchAll(/(TOPOLOG_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]));
    const config = readConfig(args, env);
    assert.deepEqual([config?.host, config?.port, config?.dataDir], ['0.0.0.0', 3080, '/var/lib/topolog']);
    const published = JSON.parse(read('package.json')) as { files: string[] };
    const copied = [...text.matchAll(/\/build\/(\S+)/g)].map(([, name = '']) => name);
    for (const name of published.files.filter(
      (one) => !/^!|^docs$|CHANGELOG|CONTRIBUTING|RELEASING|SECURITY|\/README/.test(one),
    ))
      assert.ok(copied.includes(name), name);
  });
});
