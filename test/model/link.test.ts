import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { field } from '../../src/model/field.ts';
import { LINK, LINK_IN_LAB, LINK_TEXTS } from '../../src/model/link.ts';
import { line } from '../../src/model/types.ts';
import type { TestLab } from '../actors/test-lab.ts';
import { makeTemp } from '../support/temp.ts';

// What is made of the fields is made when it is loaded, so everything else is loaded after this one was added.
const comment = field(line, '', {
  own: 'everywhere',
  later: true,
  text: { title: 'Comment', help: 'What it is for.' },
});
Object.assign(LINK, { comment });
Object.assign(LINK_IN_LAB, { comment });
Object.assign(LINK_TEXTS, { comment: comment.text });
const { labIn } = await import('../../src/actors/lab-text/show.ts');
const { SYSTEM } = await import('../../src/events/event.ts');
const { writeLabText } = await import('../../src/files/lab/yaml/write.ts');
const { readProjectFile } = await import('../../src/files/read/read.ts');
const { ownFileOf, ownText, withOwnFile } = await import('../../src/files/write/own-file.ts');
const { writeProjectFile } = await import('../../src/files/write/write.ts');
const { linkToJson } = await import('../../src/http/v2/links/json.ts');
const { linkUpdate } = await import('../../src/http/v2/links/schema.ts');
const { createLink } = await import('../../src/replay/requests.ts');
const { testLab } = await import('../actors/test-lab.ts');

let dir: string;
let t: TestLab;
before(async () => {
  dir = await makeTemp('model-link');
  t = await testLab({ dir });
});
after(() => t.close());

/** One request of Ada's. */
const ada = () => ({ by: { ...SYSTEM, principal: 'ada' }, request_id: randomUUID() });
const ends = (ids: readonly string[]) => ids.map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 }));
const commentOf = (link: object): unknown => (link as { comment?: string }).comment;

const linkWith = async (said: object) => {
  const { project_id } = await t.commands.createProject(ada(), { name: `lab ${randomUUID()}` });
  const nodes = await Promise.all(
    ['PC1', 'PC2'].map((name) => t.commands.createNode(ada(), project_id, { name, kind: 'simple_pc' }, 'conflict')),
  );
  const input = { nodes: ends(nodes.map(({ node_id }) => node_id)), ...said };
  return t.commands.createLink(ada(), project_id, input);
};

describe('a field that is added to links', () => {
  it('is kept by events, and has its first value where a request or an old record does not say it', async () => {
    const link = await linkWith({ comment: 'the backbone' });
    assert.equal(commentOf(t.context.committed.get('link', link.link_id) ?? {}), 'the backbone');
    assert.equal(commentOf(linkToJson(await linkWith({}), { compute_id: 'local', gns3Compat: false })), '');
  });

  it('is in answers, and not in those of existing tools', async () => {
    const link = await linkWith({ comment: 'the backbone' });
    assert.equal(commentOf(linkToJson(link, { compute_id: 'local', gns3Compat: false })), 'the backbone');
    assert.equal('comment' in linkToJson(link, { compute_id: 'local', gns3Compat: true }), false);
  });

  it('can be changed, and the change undone and replayed', async () => {
    const { project_id, link_id } = await linkWith({});
    const changes = linkUpdate.parse({ comment: 'cut on Mondays' });
    await t.commands.updateLink(ada(), { project_id, link_id }, changes);
    const changed = t.context.committed.get('link', link_id);
    assert.ok(changed);
    assert.equal(commentOf(changed), 'cut on Mondays');
    assert.equal(createLink(changed).body?.['comment'], 'cut on Mondays');
    await t.commands.undo(ada(), project_id);
    assert.equal(commentOf(t.context.committed.get('link', link_id) ?? {}), '');
  });

  it('is refused with its name where it is not right, and has its title in the form', () => {
    assert.match(linkUpdate.safeParse({ comment: 7 }).error?.issues[0]?.path.join('.') ?? '', /^comment$/);
    assert.match(JSON.stringify(z.toJSONSchema(linkUpdate, { io: 'input' })), /"title":"Comment"/);
  });

  it('stands beside the project file, where existing tools do not look, and comes back from there', async () => {
    const { project_id, link_id, ...more } = await linkWith({ comment: 'the backbone' });
    const project = t.context.committed.get('project', project_id);
    assert.ok(project);
    const nodes = t.context.committed.ofProject('node', project_id);
    const links = [{ project_id, link_id, ...more }];
    const file = path.join(dir, 'lab.gns3');
    const text = writeProjectFile(project, nodes, links, [], t.context.kinds);
    assert.doesNotMatch(text, /comment|backbone/);
    await writeFile(ownFileOf(file), ownText(project, nodes, links, t.context.kinds) ?? '');
    const { links: read } = await withOwnFile(readProjectFile(text, t.context.kinds), file, t.context.kinds);
    assert.equal(commentOf(read[0] ?? {}), 'the backbone');
  });

  it('is in the text of a lab where it is not the first value', async () => {
    const { project_id } = await linkWith({ comment: 'the backbone' });
    assert.match(writeLabText(await labIn(t.context, project_id)).text, /comment: the backbone/);
    const plain = await linkWith({});
    assert.doesNotMatch(writeLabText(await labIn(t.context, plain.project_id)).text, /comment/);
  });
});
