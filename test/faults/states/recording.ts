import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { type Random, seeded } from '../prng.ts';
import { checkState, emptyRoot, type Verdict } from './check.ts';
import { type Chosen, Disk, writeTree } from './disk.ts';
import { recordLoad } from './load.ts';
import { choose, missingIn, type Model, MODELS, withMore } from './models.ts';
import { makeRecorder, type Op, readRecord } from './record.ts';
import { Expected, type Story } from './steps.ts';

/** A state of a recording: after so many operations, by a model, with a seed of its own. */
export interface Case {
  point: number;
  model: Model;
  seed: number;
}

/** Records a load in a directory and leaves there what `openRecording` takes. */
export const makeRecording = async (directory: string, seed: number, seconds: number): Promise<void> => {
  mkdirSync(directory, { recursive: true });
  const recorder = makeRecorder(directory);
  const story = await recordLoad({ seed, seconds, recorder, directory });
  writeFileSync(path.join(directory, 'story.json'), JSON.stringify(story));
  await rm(story.root, { recursive: true });
};

/** Problems that differ in ids, numbers and values only are of one sort. */
export const sortOf = (problem: string): string =>
  problem
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, '')
    .replace(/ is .*/, '')
    .slice(0, 60);

export class Recording {
  readonly story: Story;
  readonly ops: Op[];
  readonly #directory: string;
  #disk: Disk;
  #expected: Expected;
  #at = 0;

  /** `forget`: files of which no sync is remembered, as if it had been left out. */
  constructor(directory: string, forget: RegExp | null = null) {
    this.#directory = directory;
    this.story = JSON.parse(readFileSync(path.join(directory, 'story.json'), 'utf8')) as Story;
    this.ops = without(readRecord(path.join(directory, 'ops')), forget);
    this.#disk = new Disk(path.join(directory, 'base'));
    this.#expected = new Expected(this.story);
  }

  /** Moments to look at, ascending: most of them beside a sync, a change of names or an answer. */
  cases(count: number, random: Random): Case[] {
    const near = this.ops.flatMap(({ op }, at) =>
      ['synced', 'sync', 'rename', 'unlink', 'link', 'mkdir', 'mark'].includes(op) ? [at, at + 1] : [],
    );
    const point = (): number => (random.below(5) === 0 ? random.below(this.ops.length) : random.pick(near)) ?? 0;
    const cases = Array.from({ length: count }, () => ({
      point: point(),
      model: random.pick(MODELS) ?? 'strict',
      seed: random.below(2 ** 31),
    }));
    return cases.sort((a, b) => a.point - b.point);
  }

  /** Builds the state where the server believed to be, and checks it. */
  async check({ point, model, seed }: Case): Promise<Verdict> {
    this.#goTo(point);
    return this.#checkChosen(choose(model, this.#disk, seeded(seed)));
  }

  /** Of a case with a sort of problem: as little as possible that is not on disk and makes it all the same. `most`: states looked at. */
  async minimize({ point, model, seed }: Case, sort: string, most: number): Promise<string[]> {
    this.#goTo(point);
    const { fixed, missing } = missingIn(this.#disk, choose(model, this.#disk, seeded(seed)));
    let left = missing;
    let looks = 0;
    for (let size = Math.ceil(left.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2))
      for (let at = 0; at < left.length && looks < most; looks++) {
        const fewer = left.filter((_, index) => index < at || index >= at + size);
        const more = new Set(missing.filter((one) => !fewer.includes(one)).map(({ change }) => change));
        const { problems, refused } = await this.#checkChosen(withMore(fixed, more));
        if ([...problems, refused ?? ''].some((problem) => sortOf(problem) === sort)) left = fewer;
        else at += size;
      }
    return left.map(({ what }) => what);
  }

  async #checkChosen(chosen: Chosen): Promise<Verdict> {
    const { root } = this.story;
    await emptyRoot(root);
    writeTree(this.#disk.root, root, chosen);
    const verdict = await checkState(this.story, this.#expected, this.#disk.projectFiles);
    verdict.problems.push(...this.#disk.unseen.map((what) => `the recorder does not know ${what}`));
    return verdict;
  }

  #goTo(point: number): void {
    if (point < this.#at) {
      this.#disk = new Disk(path.join(this.#directory, 'base'));
      this.#expected = new Expected(this.story);
      this.#at = 0;
    }
    for (const op of this.ops.slice(this.#at, point)) {
      this.#disk.feed(op);
      this.#expected.feed(op);
    }
    this.#at = point;
  }

  close(): void {
    rmSync(this.story.root, { recursive: true, force: true });
  }
}

const without = (ops: Op[], forget: RegExp | null): Op[] => {
  if (forget === null) return ops;
  const paths = new Map(ops.flatMap((op) => (op.op === 'open' ? [[op.h, op.path]] : [])));
  return ops.filter((op) => op.op !== 'sync' || !forget.test(paths.get(op.h) ?? ''));
};

export const isRecording = (directory: string): boolean => existsSync(path.join(directory, 'story.json'));
