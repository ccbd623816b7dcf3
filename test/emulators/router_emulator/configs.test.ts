import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { Exit } from '../../../src/emulators/kit/contract.ts';
import { configOf, fault, routerFixture, told, typed } from './router-fixture.ts';

const lab = routerFixture();

describe('the configuration of a router', () => {
  it('is pushed at the start, and what it has saved is in the files after the stop', async () => {
    const node = await lab.router();
    await writeFile(configOf(node), 'hostname Paris\n');
    await writeFile(configOf(node, 'private'), 'crypto\n');
    const { console } = await lab.start(node);
    await typed(console, 'hostname Lyon', /Lyon>/);
    await typed(console, 'write memory', /\[OK\]/);
    assert.equal(await readFile(configOf(node), 'utf8'), 'hostname Paris\n');
    await lab.stop(node);
    assert.equal(await readFile(configOf(node), 'utf8'), 'hostname Lyon\n');
    assert.equal(await readFile(configOf(node, 'private'), 'utf8'), 'crypto\n');
    const again = await lab.start(node);
    await typed(again.console, '', /Lyon>/);
    await lab.stop(node);
  });

  it('of a router that ended without a stop is what it had saved, not the older file', async () => {
    const node = await lab.router();
    await writeFile(configOf(node), 'hostname Paris\n');
    await utimes(configOf(node), new Date(2020, 1), new Date(2020, 1));
    const { console } = await lab.start(node);
    await typed(console, 'hostname Lyon', /Lyon>/);
    await typed(console, 'write memory', /\[OK\]/);
    const exited = new Promise<Exit>((resolve) => lab.engine.onExit(resolve));
    void typed(console, 'test crash', /never/).catch(() => undefined);
    const exit = await exited;
    assert.equal(exit.code, 139);
    assert.match(exit.output, /Segmentation Fault/);
    const again = await lab.start(node);
    await typed(again.console, '', /Lyon>/);
    await lab.stop(node);
    assert.equal(await readFile(configOf(node), 'utf8'), 'hostname Lyon\n');
  });

  it('that is given while it runs is that of the next start', async () => {
    const node = await lab.router();
    await writeFile(configOf(node), 'hostname Paris\n');
    const { console } = await lab.start(node);
    await writeFile(configOf(node), 'hostname Rome\n');
    await typed(console, 'write memory', /\[OK\]/);
    await lab.stop(node);
    assert.equal(await readFile(configOf(node), 'utf8'), 'hostname Rome\n');
    const again = await lab.start(node);
    await typed(again.console, '', /Rome>/);
    await lab.stop(node);
  });

  it('is only private where there is nothing else, and an empty file is none', async () => {
    const node = await lab.router();
    await writeFile(configOf(node), '');
    await writeFile(configOf(node, 'private'), 'crypto\n');
    await lab.start(node);
    const pushed = new Set((await told(node)).filter((line) => /config/.test(line)));
    assert.deepEqual([...pushed], [`vm push_config R1 (keep) ${Buffer.from('crypto\n').toString('base64')}`]);
    await lab.stop(node);
  });

  it('goes with a copy of the node, whose number is another', async () => {
    const node = await lab.router({ dynamips_id: 6 });
    await writeFile(configOf(node), 'hostname Paris\n');
    await writeFile(path.join(node.node_directory, 'c3725_i5_disk0'), 'disk');
    const { console } = await lab.start(node);
    await typed(console, '', /Paris>/);
    await lab.stop(node);
    assert.equal(await readFile(path.join(node.node_directory, 'c3725_i6_disk0'), 'utf8'), 'disk');
    assert.equal(existsSync(configOf(node, 'startup', 6)), true);
  });

  it('survives a program that stands still over it, as it was', async () => {
    const node = await lab.router();
    await writeFile(configOf(node), 'hostname Paris\n');
    await lab.start(node);
    await fault(node, { die: 'vm extract_config' });
    await lab.stop(node);
    assert.equal(await readFile(configOf(node), 'utf8'), 'hostname Paris\n');
  });
});
