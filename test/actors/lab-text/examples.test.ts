import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { PACKAGE } from '../../../src/common/package.ts';
import { makeTemp } from '../../support/temp.ts';
import { CALLER, testLab, type TestLab } from '../test-lab.ts';

const FOLDER = path.join(PACKAGE, 'examples');
const EXAMPLES = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml') && !name.endsWith('.clab.yaml'));

let t: TestLab;
before(async () => {
  t = await testLab({ dir: await makeTemp('lab-examples') });
});
after(() => t.close());

describe('an example as a text', () => {
  for (const name of EXAMPLES)
    it(`${name} makes a lab, and not one event the second time`, async () => {
      const text = readFileSync(path.join(FOLDER, name), 'utf8');
      const input = { text, format: 'yaml', files: {} } as const;
      const first = await t.commands.applyLab(CALLER, { ...input, start: false });
      assert.ok(first.changes.length > 0 && first.position !== null);
      const at = t.log.status().position;
      const second = await t.commands.applyLab(CALLER, { ...input, start: false });
      assert.deepEqual(second.changes, []);
      assert.equal(second.position, null);
      assert.equal(t.log.status().position, at);
      await t.commands.closeProject(CALLER, first.project_id);
    });
});
