import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { TopologError } from '../../src/common/errors.ts';
import { createKinds } from '../../src/emulators/registry.ts';
import { readDrawingImages } from '../../src/files/project/drawing-images.ts';
import { gatherNodeFiles, keepOriginal, withMissingFiles } from '../../src/files/read/old/node-files.ts';
import type { ParsedNode, ParsedProject } from '../../src/files/read/parsed.ts';
import { readProjectFile } from '../../src/files/read/read.ts';
import { fixture } from '../fixtures/fixture.ts';
import { tempDir } from '../support/temp.ts';

const kinds = createKinds();
const textOf = (name: string): string => fixture(`old-projects/${name}.gns3`);
const sample = (name: string): ParsedProject => readProjectFile(textOf(name), kinds);

const nodeOf = (project: ParsedProject, name: string): ParsedNode => {
  const node = project.nodes.find((one) => one.name === name);
  assert.ok(node, `no node ${name}`);
  return node;
};

/** `A 0/0 B 1/2` for every link. */
const linksOf = (project: ParsedProject): string[] => {
  const names = new Map(project.nodes.map((node) => [node.node_id, node.name]));
  return project.links.map(({ nodes }) =>
    nodes.map((end) => `${names.get(end.node_id)} ${end.adapter_number}/${end.port_number}`).join(' '),
  );
};

const svgWith = (project: ParsedProject, text: string): string => {
  const drawing = project.drawings.find(({ svg }) => svg.includes(text));
  assert.ok(drawing, `no drawing with ${text}`);
  return drawing.svg;
};

const warned = (project: ParsedProject, pattern: RegExp): void => {
  const found = project.warnings.filter((warning) => pattern.test(warning));
  assert.equal(found.length, 1, `${pattern.source} in ${project.warnings.join('\n')}`);
};

const SAMPLES = [
  ...['1-slots', '2-wics', '3-drawings', '4-revision-3', '5-builtins', '6-clouds', '7-machines'],
  ...['7-drawing-only', '8-broken'],
];

describe('project files before revision 5', () => {
  for (const name of SAMPLES) {
    it(`${name} gives the same whenever it is read, every link on ports of its own`, () => {
      const project = sample(name);
      assert.deepEqual(sample(name), project);
      const ends = project.links.flatMap(({ nodes }) =>
        nodes.map((end) => `${end.node_id} ${end.adapter_number}/${end.port_number}`),
      );
      assert.equal(new Set(ends).size, ends.length);
      const drawn = [...project.nodes.map((n) => n.node_id), ...project.drawings.map((d) => d.drawing_id)];
      assert.equal(new Set(drawn).size, drawn.length);
    });

    it(`${name} has links at ports that its nodes have`, () => {
      const project = sample(name);
      for (const { kind, name, node_id, properties, ...naming } of project.nodes) {
        const known = kinds.get(kind);
        if (known === undefined) continue;
        const ports = known.ports(known.complete(properties, { node_id, name }), {
          ...{ node_id, custom_adapters: [], first_port_name: naming.first_port_name },
          port_name_format: naming.port_name_format ?? known.look.port_name_format,
          port_segment_size: naming.port_segment_size ?? known.look.port_segment_size,
        });
        const there = new Set(ports.map((port) => `${port.adapter_number}/${port.port_number}`));
        for (const end of project.links.flatMap(({ nodes }) => nodes).filter((end) => end.node_id === node_id))
          assert.ok(there.has(`${end.adapter_number}/${end.port_number}`), `${name} ${JSON.stringify(end)}`);
      }
    });
  }

  it('routers of 1.0: the slot is the adapter, the number is that of its files, and memory is guessed aloud', () => {
    const project = sample('1-slots');
    assert.equal(project.revision, 0);
    assert.deepEqual(linksOf(project), ['A 0/0 B 0/0', 'A 1/0 B 1/0']);
    const [a, b] = [nodeOf(project, 'A'), nodeOf(project, 'B')];
    assert.deepEqual([a.properties['dynamips_id'], b.properties['dynamips_id']], [1, 2]);
    assert.deepEqual([a.properties['platform'], a.properties['ram'], b.properties['ram']], ['c3600', 192, 256]);
    assert.equal(b.properties['image'], 'c3640.bin');
    assert.deepEqual([a.x, a.y, a.console], [-101, 2, 2001]);
    assert.equal('startup_config' in a.properties, false);
    warned(project, /^A: the file says no ram; it has 192 MB/);
    const [, second] = project.links;
    assert.deepEqual(second?.nodes[0]?.label, {
      ...{ text: 'to B', x: 3, y: 4, rotation: 0 },
      style: 'font-family: Verdana;font-size: 8.0;font-style: italic;fill: #ff0000;fill-opacity: 1.0;',
    });
    assert.equal(second?.nodes[1]?.label?.text, 'FastEthernet1/0');
  });

  it('ports of interface cards count by their card, whatever numbers they had', () => {
    assert.deepEqual(linksOf(sample('2-wics')), ['A 0/16 B 0/16', 'A 0/32 B 0/17', 'A 0/1 B 0/1']);
  });

  it('notes are readable, shapes have their colours and borders, and nothing of the file gets out of its attribute', () => {
    const project = sample('3-drawings');
    assert.equal(project.drawings.length, 7);
    const note = svgWith(project, 'two');
    assert.match(note, /fill="#0000ff" fill-opacity="1\.0"/);
    assert.match(note, />x\ny &lt;1&gt; &amp; "two"<\/text>/);
    const drawing = project.drawings.find(({ svg }) => svg === note);
    assert.deepEqual([drawing?.x, drawing?.y, drawing?.z, drawing?.rotation], [1, -3, 2, 36]);
    const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(note) ?? [];
    assert.ok(Number(width) >= 100 && Number(height) >= 30, 'room for two lines and the longer of them');
    const small = svgWith(project, 'small');
    assert.match(small, /fill="#102030" fill-opacity="0\.5" font-family="MS Shell Dlg 2" font-size="15\.0"/);
    assert.match(small, /font-weight="normal" font-style="italic" text-decoration="underline"/);
    assert.match(svgWith(project, '<ellipse'), /fill="#ffff7f".*stroke-dasharray="25, 25"/);
    const green = svgWith(project, '#00ff00');
    assert.doesNotMatch(green, /stroke/);
    assert.equal(project.drawings.find(({ svg }) => svg === green)?.z, -1);
    for (const { svg } of project.drawings) assert.doesNotMatch(svg, /script|onload/);
  });

  it('3: ids, numbers of routers and symbols are the file’s; a missing type, chassis or board is what its ports need', () => {
    const project = sample('4-revision-3');
    assert.equal(project.project_id, '5ff9e4bb-0e7d-4b51-9a68-1d30ff4b0d14');
    const [r7, r8, esw] = ['R7', 'R8', 'ESW1'].map((name) => nodeOf(project, name));
    assert.equal(r7?.node_id, '0b3a1c0e-43f7-4d5c-9c07-5b6a3d1f2a01');
    assert.deepEqual([r7.symbol, r7.z, r7.properties['dynamips_id']], [':/symbols/router.svg', 2, 7]);
    assert.equal(r7.properties['slot0'], 'C7200-IO-GE-E');
    assert.deepEqual([r8?.kind, r8?.properties['chassis']], ['router_emulator', '2621']);
    assert.equal(esw?.properties['platform'], 'c3725');
    assert.deepEqual(linksOf(project), ['R7 0/0 R8 0/1', 'R8 0/0 ESW1 1/0', 'PC1 0/0 ESW1 1/15']);
    warned(project, /^R8: the file says no chassis; it has 2621/);
  });

  it('4: ports of hubs and switches count from 0, those of circuits are as they were', () => {
    const project = sample('5-builtins');
    assert.deepEqual(linksOf(project), [
      'Hub1 0/0 SW1 0/1',
      'Hub1 0/2 SW1 0/2',
      'FR1 0/3 FR2 0/1',
      'ATM1 0/10 ATM2 0/1',
    ]);
    assert.deepEqual(nodeOf(project, 'SW1').properties['ports_mapping'], [
      { name: 'Ethernet0', port_number: 0, type: 'access', vlan: 1 },
      { name: 'Ethernet1', port_number: 1, type: 'dot1q', vlan: 7 },
      { name: 'Ethernet2', port_number: 2, type: 'qinq', vlan: 9 },
    ]);
    assert.deepEqual(nodeOf(project, 'FR1').properties, { mappings: { '1:103': '3:301' } });
  });

  it('4: each port of a cloud is one, translated ones are nodes of their own, and what leads nowhere is said', () => {
    const project = sample('6-clouds');
    assert.deepEqual(linksOf(project), [
      ...['PC1 0/0 Cloud1 0/0', 'PC2 0/0 Cloud1 0/1', 'PC3 0/0 Cloud1 0/2', 'PC4 0/0 Cloud1-nio_nat 0/0'],
      ...['PC6 0/0 Host1 0/0', 'PC7 0/0 Internet 0/0'],
    ]);
    assert.deepEqual(nodeOf(project, 'Cloud1').properties['ports_mapping'], [
      { type: 'tap', interface: 'tap0', name: 'tap0', port_number: 0 },
      { type: 'ethernet', interface: 'e0', name: 'e0', port_number: 1 },
      { type: 'udp', name: 'UDP tunnel 3', lport: 1, rhost: 'h', rport: 2, port_number: 2 },
    ]);
    const [host, internet] = [nodeOf(project, 'Host1'), nodeOf(project, 'Internet')];
    assert.deepEqual([host.kind, host.symbol, internet.kind], ['cloud', ':/symbols/computer.svg', 'nat']);
    assert.equal(nodeOf(project, 'Cloud1-nio_nat').kind, 'nat');
    warned(project, /^Cloud1: its port "nio_vde:.*it was left out.*"nio_nat:x" is the node Cloud1-nio_nat now/);
    warned(project, /^Link 5 of the file was left out: the port "nio_vde:/);
  });

  it('4: machines keep their settings and computes; users of servers and what no kind knows stay behind', () => {
    const project = sample('7-machines');
    const kindsOf = project.nodes.map((node) => node.kind);
    const virtual = ['switch_router_emulator', 'desktop_vm_b', 'desktop_vm_a'];
    assert.deepEqual(kindsOf, ['machine_emulator', 'nat', 'container', ...virtual]);
    const [guest, iou, vmware] = ['Guest', 'IOU1', 'VM1'].map((name) => nodeOf(project, name));
    assert.deepEqual([guest?.properties['linked_clone'], guest?.properties['on_close']], [false, 'shutdown_signal']);
    assert.deepEqual([guest?.properties['hda_disk_image'], guest?.compute_id], ['linux.qcow2', 'vm']);
    assert.deepEqual(nodeOf(project, 'Internet').properties, {});
    assert.deepEqual([iou?.properties['path'], iou?.symbol], ['l2-15.bin', ':/symbols/multilayer_switch.svg']);
    assert.deepEqual([vmware?.properties['linked_clone'], vmware?.properties['on_close']], [true, 'power_off']);
    assert.deepEqual(project.computes, [
      { compute_id: iou?.compute_id, name: 'Remote 3', protocol: 'https', host: '192.0.2.9', port: 8001 },
    ]);
    assert.equal(nodeOf(project, 'VM2').compute_id, iou?.compute_id, 'two servers at one address are one');
    for (const word of ['someone', 'initial_config', 'enable_remote', 'use_ubridge', 'container_id'])
      assert.equal(JSON.stringify({ ...project, oldFiles: null }).includes(word), false, word);
  });

  it('4: a project of drawings only, without id and servers', () => {
    const project = sample('7-drawing-only');
    assert.match(project.project_id, /^[0-9a-f-]{36}$/);
    assert.match(
      svgWith(project, '<rect'),
      /fill="#ff0000" fill-opacity="0\.5" stroke="#0000ff" stroke-width="4" stroke-dash/,
    );
    assert.deepEqual(project.warnings, []);
  });

  it('what is broken keeps nothing else from being there, and each has its warning', () => {
    const project = sample('8-broken');
    assert.deepEqual(linksOf(project), ['R1 0/0 R2 0/0', 'R1 1/0 R2 1/0', 'R3 0/0 What 0/0']);
    assert.equal(project.nodes.length, 4);
    assert.equal(project.drawings.length, 2);
    assert.deepEqual([nodeOf(project, 'R1').properties['chassis'], nodeOf(project, 'R1').problem], ['3640', null]);
    assert.match(nodeOf(project, 'What').problem?.message ?? '', /"Unknown" is not a kind/);
    warned(project, /^R1: properties that dynamips does not have were left out: vmname: "R1"/);
    warned(project, /^R3: its server 9 is not in the file.*its id 2 is that of an earlier node/);
    warned(project, /^Link 3 of the file was left out: there is no node with the id 99/);
    warned(project, /^Link 5 of the file was left out: R2 has no port with the id 77/);
    warned(project, /^Link 2 of the file: nobody knows its port of R1; it ends at 1\/0 now/);
    warned(project, /^1 of the notes were left out/);
    assert.equal(project.extra['topology'], undefined, 'nothing of the old form gets into the new file');
  });

  it('two ports of the file never become one', () => {
    const file = JSON.parse(textOf('1-slots')) as { topology: { nodes: { ports: Record<string, unknown>[] }[] } };
    for (const { ports } of file.topology.nodes)
      for (const port of ports) Object.assign(port, { slot_number: 0, name: 'x' });
    const project = readProjectFile(JSON.stringify(file), kinds);
    assert.deepEqual(linksOf(project), ['A 0/0 B 0/0', 'A 1/0 B 1/0']);
    assert.equal(project.warnings.filter((w) => /^Link 2 of the file: nobody knows the port "x"/.test(w)).length, 2);
  });
});

/** Every place of a value: those of its members and of theirs. */
const placesIn = (value: unknown, at: (string | number)[] = []): (string | number)[][] =>
  typeof value !== 'object' || value === null
    ? [at]
    : [
        at,
        ...Object.entries(value).flatMap(([key, inner]) =>
          placesIn(inner, [...at, Array.isArray(value) ? Number(key) : key]),
        ),
      ];

describe('a project file before revision 5 with any value in any place', () => {
  for (const name of SAMPLES)
    it(`${name} is read, or refused with the reason`, () => {
      const places = placesIn(JSON.parse(textOf(name))).filter((at) => at.length > 0);
      const value = fc.oneof(
        fc.constantFrom<unknown>(
          null,
          '',
          'x',
          -1,
          1e300,
          2 ** 31,
          0.5,
          [],
          {},
          [null],
          '__proto__',
          '../../x',
          'C:\\x',
          true,
        ),
        fc.jsonValue({ maxDepth: 2 }),
      );
      fc.assert(
        fc.property(
          fc.array(fc.tuple(fc.constantFrom(...places), value), { minLength: 1, maxLength: 6 }),
          (changes) => {
            const file = JSON.parse(textOf(name)) as unknown;
            for (const [at, to] of changes) {
              const holder = at
                .slice(0, -1)
                .reduce<unknown>((of, key) => (of as Record<string, unknown> | null)?.[key], file);
              if (typeof holder === 'object' && holder !== null)
                Reflect.set(holder, at.at(-1) ?? '', structuredClone(to));
            }
            try {
              const { nodes, drawings } = readProjectFile(JSON.stringify(file), kinds);
              for (const { kind, properties, node_id, name } of nodes)
                // What does not fit together is said when it is loaded, in a sentence.
                assert.doesNotThrow(() => known(() => kinds.get(kind)?.complete(properties, { node_id, name })));
              for (const { svg } of drawings) assert.doesNotMatch(svg, /NaN|Infinity|undefined/);
            } catch (error) {
              if (!(error instanceof TopologError)) throw error;
            }
          },
        ),
        { numRuns: 150 },
      );
    });
});

/** Does it; a sentence for a user is as good. */
const known = (work: () => unknown): void => {
  try {
    work();
  } catch (error) {
    if (!(error instanceof TopologError)) throw error;
  }
};

describe('files of projects before revision 5', () => {
  const scene = async (t: TestContext, files: readonly string[]) => {
    const dir = await tempDir();
    t.after(() => dir.remove());
    const root = path.join(dir.path, 'lab');
    for (const name of files) {
      await mkdir(path.dirname(path.join(root, name)), { recursive: true });
      await writeFile(path.join(root, name), `text of ${name}`);
    }
    const read = (name: string): Promise<string> => readFile(path.join(root, name), 'utf8');
    return { root, outside: dir.path, read };
  };

  it('are found in the shared directory and beside the project file, and the originals stay', async (t) => {
    const { root, read } = await scene(t, [
      'project-files/dynamips/configs/i1_startup-config.cfg',
      'project-files/dynamips/c3640_i1_nvram',
      'project-files/dynamips/c3640_i11_nvram',
      'startup-configs/i2_startup-config.cfg',
      'instructions.txt',
    ]);
    const project = sample('1-slots');
    assert.deepEqual((await withMissingFiles(project, root, kinds)).warnings, project.warnings);
    assert.equal(await gatherNodeFiles(project, root, kinds), 4);
    const [a, b] = project.nodes.map(({ node_id }) => `project-files/dynamips/${node_id}`);
    assert.equal(
      await read(`${a}/configs/i1_startup-config.cfg`),
      'text of project-files/dynamips/configs/i1_startup-config.cfg',
    );
    assert.deepEqual((await readdir(path.join(root, a ?? ''))).sort(), ['c3640_i1_nvram', 'configs']);
    assert.equal(await read(`${b}/configs/i2_startup-config.cfg`), 'text of startup-configs/i2_startup-config.cfg');
    assert.equal(await read('README.txt'), 'text of instructions.txt');
    assert.equal(await read('startup-configs/i2_startup-config.cfg'), 'text of startup-configs/i2_startup-config.cfg');
    assert.equal(await gatherNodeFiles(project, root, kinds), 0, 'once');
  });

  it('that are not there are a warning, and none is read outside the project', async (t) => {
    const { root, outside } = await scene(t, ['other.txt']);
    await writeFile(path.join(outside, 'secret'), 'secret');
    await mkdir(path.join(root, 'startup-configs'));
    await symlink('../../secret', path.join(root, 'startup-configs/i2_startup-config.cfg'));
    const text = textOf('1-slots').replace('configs\\\\i1_startup-config.cfg', '..\\\\secret');
    const project = await withMissingFiles(readProjectFile(text, kinds), root, kinds);
    warned(project, /^A: its file \.\.\\secret is not in/);
    warned(project, /^B: its file startup-configs\\i2_startup-config\.cfg is not in/);
    assert.equal(await gatherNodeFiles(project, root, kinds), 0);
  });

  it('scripts of PCs and configurations of switches get the names that they have now', async (t) => {
    const own = 'project-files/iou/0b3a1c0e-43f7-4d5c-9c07-5b6a3d1f2d04';
    const { root, read } = await scene(t, [`${own}/initial-config.cfg`]);
    assert.equal(await gatherNodeFiles(sample('7-machines'), root, kinds), 1);
    assert.equal(await read(`${own}/startup-config.cfg`), `text of ${own}/initial-config.cfg`);
    const text = textOf('4-revision-3').replace('"startup_script_path"', '"startup_script":"ip dhcp\\n","x"');
    const project = readProjectFile(text, kinds);
    await gatherNodeFiles(project, root, kinds);
    assert.equal(await read(`project-files/vpcs/${nodeOf(project, 'PC1').node_id}/startup.vpc`), 'ip dhcp\n');
  });

  it('pictures are those of the project alone', async (t) => {
    const svg = '<svg width="3" height="4"><rect/></svg>';
    const { root } = await scene(t, ['lab.gns3']);
    await mkdir(path.join(root, 'images'));
    await writeFile(path.join(root, 'images/plan.png'), svg);
    const project = await readDrawingImages(sample('3-drawings'), root);
    assert.ok(project.drawings.some((drawing) => drawing.svg === svg));
    const broken = await readDrawingImages(sample('8-broken'), root);
    assert.ok(broken.drawings.some((drawing) => drawing.svg === 'hosts.png'));
    warned(broken, /the picture hosts\.png cannot be read/);
  });

  it('the project file itself is kept under the name that existing tools give it', async (t) => {
    const { root, read } = await scene(t, ['lab.gns3']);
    for (let n = 0; n < 2; n++) {
      await keepOriginal(path.join(root, 'lab.gns3'), sample('1-slots'));
      await writeFile(path.join(root, 'lab.gns3'), 'of today');
    }
    assert.equal(await read('lab.gns3.backup0'), 'text of lab.gns3');
  });
});
