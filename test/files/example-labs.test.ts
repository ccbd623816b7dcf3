import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { read, toFields, write } from './harness.ts';

const root = path.resolve('examples/labs');
const labs = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

describe('the example labs', () => {
  it('are there', () => assert.ok(labs.includes('first-lab')));

  for (const lab of labs) {
    const text = readFileSync(path.join(root, lab, `${lab}.gns3`), 'utf8');
    const project = read(text);

    it(`${lab} has nothing to complain about, and is as the server writes it`, () => {
      assert.deepEqual(project.warnings, []);
      assert.equal(write(toFields(project)), text);
    });

    it(`${lab} uses each port and each console once`, () => {
      const ports = project.links
        .flatMap((l) => l.nodes)
        .map((e) => `${e.node_id} ${e.adapter_number}/${e.port_number}`);
      assert.equal(new Set(ports).size, ports.length);
      const consoles = project.nodes.map((n) => n.console).filter((console) => console !== null);
      assert.equal(new Set(consoles).size, consoles.length);
    });

    it(`${lab} has a start-up file for each PC, which names it`, () => {
      for (const node of project.nodes.filter((n) => n.kind === 'simple_pc')) {
        const file = path.join(root, lab, 'project-files/vpcs', node.node_id, 'startup.vpc');
        assert.ok(existsSync(file), file);
        assert.match(readFileSync(file, 'utf8'), new RegExp(`^set pcname ${node.name}\nip 10\\.0\\.\\d+\\.\\d+/24\n$`));
      }
    });
  }
});
