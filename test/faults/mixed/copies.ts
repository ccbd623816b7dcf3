import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Random } from '../prng.ts';
import { type Churner, list, makeProject, send } from './churner.ts';

const NODES = 6;
const DRAWINGS = 3;

const addNodes = async (url: string, projectId: string): Promise<void> => {
  for (let n = 0; n < NODES; n++)
    await send(url, ['POST', `/v2/projects/${projectId}/nodes`], {
      ...{ name: `PC${n}`, node_type: 'vpcs', compute_id: 'local', properties: { startup_script: `ip 10.0.0.${n}\n` } },
    });
};

/** Imports an archive as a project of its own and deletes it again; each is there whole, or not at all. */
export class Imports implements Churner {
  readonly name = 'imports';
  readonly #random: Random;
  readonly #dataDir: string;
  #archive: Uint8Array = new Uint8Array();
  #count = 0;
  /** Of imports that were answered and not deleted. */
  readonly #there = new Set<string>();
  /** Whose import or deletion was not answered. */
  readonly #open = new Set<string>();
  readonly #deleted = new Set<string>();

  constructor(random: Random, dataDir: string) {
    this.#random = random;
    this.#dataDir = dataDir;
  }

  async prepare(url: string): Promise<void> {
    const source = this.#random.uuid();
    await makeProject(url, source, 'source');
    await addNodes(url, source);
    await send(url, ['POST', `/v2/projects/${source}/files/notes.txt`], 'n'.repeat(200_000));
    const answer = await fetch(`${url}/v2/projects/${source}/export`);
    this.#archive = new Uint8Array(await answer.arrayBuffer());
  }

  async step(url: string): Promise<void> {
    const [oldest] = this.#there;
    if (oldest !== undefined && this.#there.size > 2) await this.#delete(url, oldest);
    else await this.#import(url, this.#random.uuid());
  }

  async #import(url: string, id: string): Promise<void> {
    this.#open.add(id);
    await send(url, ['POST', `/v2/projects/${id}/import?name=import${++this.#count}`], this.#archive);
    this.#open.delete(id);
    this.#there.add(id);
  }

  async #delete(url: string, id: string): Promise<void> {
    this.#there.delete(id);
    this.#open.add(id);
    await send(url, ['DELETE', `/v2/projects/${id}`]);
    this.#open.delete(id);
    this.#deleted.add(id);
  }

  async check(url: string): Promise<string[]> {
    const ids = new Set((await list(url, '/v2/projects')).map(({ project_id }) => String(project_id)));
    const problems: string[] = [];
    for (const id of this.#open) (ids.has(id) ? this.#there : this.#deleted).add(id);
    this.#open.clear();
    for (const id of this.#there) {
      if (!ids.has(id)) problems.push(`the import ${id} was answered and is gone`);
      else problems.push(...(await this.#whole(url, id)));
    }
    for (const id of this.#deleted) {
      if (ids.has(id)) problems.push(`the deletion of ${id} was answered and it is there`);
      if (existsSync(path.join(this.#dataDir, 'projects', id))) problems.push(`the directory of ${id} is left over`);
    }
    this.#deleted.clear();
    return problems;
  }

  async #whole(url: string, id: string): Promise<string[]> {
    const { body } = await send(url, ['GET', `/v2/projects/${id}`]);
    if ((body as { status: string }).status !== 'opened') await send(url, ['POST', `/v2/projects/${id}/open`], {});
    const nodes = await list(url, `/v2/projects/${id}/nodes`);
    const notes = await send(url, ['GET', `/v2/projects/${id}/files/notes.txt`], undefined, [404]);
    if (nodes.length === NODES && notes.text.length === 200_000) return [];
    return [`the import ${id} has ${nodes.length} nodes and a file of ${notes.text.length} octets`];
  }
}

/** Moves drawings and restores a snapshot: all of them are where the snapshot has them, or none. */
export class Restores implements Churner {
  readonly name = 'restores';
  readonly #random: Random;
  readonly #project: string;
  readonly #drawings: string[];
  #snapshot = '';
  /** x of each drawing, as answered. */
  #now: number[];
  /** What it may be instead: of a write that was not answered. */
  #under: number[] | null = null;

  constructor(random: Random) {
    this.#random = random;
    this.#project = `/v2/projects/${random.uuid()}`;
    this.#drawings = Array.from({ length: DRAWINGS }, () => random.uuid());
    this.#now = this.#drawings.map(() => 0);
  }

  async prepare(url: string): Promise<void> {
    await makeProject(url, this.#project.slice('/v2/projects/'.length), 'restores');
    for (const drawing_id of this.#drawings)
      await send(url, ['POST', `${this.#project}/drawings`], { drawing_id, svg: '<svg/>', x: 0 });
    await addNodes(url, this.#project.slice('/v2/projects/'.length));
    const { body } = await send(url, ['POST', `${this.#project}/snapshots`], { name: 'zero' });
    this.#snapshot = (body as { snapshot_id: string }).snapshot_id;
  }

  async step(url: string): Promise<void> {
    const back = this.#random.below(3) === 0;
    const turn = this.#random.below(DRAWINGS);
    const x = this.#random.below(1000);
    this.#under = back ? this.#drawings.map(() => 0) : this.#now.with(turn, x);
    if (back) await send(url, ['POST', `${this.#project}/snapshots/${this.#snapshot}/restore`], {});
    else await send(url, ['PUT', `${this.#project}/drawings/${this.#drawings[turn] ?? ''}`], { x });
    this.#now = this.#under;
    this.#under = null;
  }

  async check(url: string): Promise<string[]> {
    const { status } = await send(url, ['POST', `${this.#project}/open`], {});
    const drawings = await list(url, `${this.#project}/drawings`);
    const there = this.#drawings.map((id) => Number(drawings.find((d) => d['drawing_id'] === id)?.['x'] ?? -1));
    const nodes = (await list(url, `${this.#project}/nodes`)).length;
    const fits = [this.#now, this.#under].some((wanted) => JSON.stringify(wanted) === JSON.stringify(there));
    const wanted = JSON.stringify([this.#now, this.#under]);
    this.#now = there;
    this.#under = null;
    return fits && nodes === NODES && drawings.length === DRAWINGS
      ? []
      : [`drawings are at ${there.join()} and should be at ${wanted}; ${nodes} nodes (${status})`];
  }
}
