/** A fault that is put into a compiled module of the product while it is loaded: the simulation has to find each of them. */
export interface Planted {
  name: string;
  /** Below dist/src/. */
  module: string;
  /** Text that is there once, and what stands in its place. */
  original: string;
  fault: string;
}

const LOG = 'events/log/log.js';

export const PLANTED: readonly Planted[] = [
  {
    name: 'no-fsync',
    module: LOG,
    original: 'await inSlices(ops), { sync: true })',
    fault: 'await inSlices(ops), { sync: false })',
  },
  {
    name: 'commit-before-fsync',
    module: LOG,
    original: 'await this.#store.batch(events.length',
    fault: 'this.#tail.commit();\nthis.#commit(events, changes);\nawait this.#store.batch(events.length',
  },
  {
    name: 'heads-not-restored',
    module: 'events/log/stage.js',
    original: 'this.#versions = versionsOf(heads);\n        this.#projector.discard',
    fault: 'this.#projector.discard',
  },
  { name: 'pending-not-discarded', module: 'events/log/stage.js', original: 'this.#projector.discard();', fault: '' },
  { name: 'refused-not-cut', module: LOG, original: 'await this.#cutUnanswered(failure);', fault: '' },
  {
    name: 'append-not-awaited',
    module: 'actors/drawing/commands.js',
    original: 'await log.append(draftsOf(caller, project_id, events));',
    fault:
      "await (step.action === 'update' ? null : log.append(draftsOf(caller, project_id, events)));\nif (step.action === 'update') void log.append(draftsOf(caller, project_id, events));",
  },
  {
    name: 'effect-before-append',
    module: 'actors/runtime/runtime.js',
    original: 'const events = await this.#parts.context.log.append(batch, { causal });',
    fault:
      'const appended = this.#parts.context.log.append(batch, { causal });\nconst early = { ...batch[0], position: this.#parts.context.log.status().position + 1 };\nif (early.type === "node.start_requested") this.#begin("start", early, new AbortController().signal);\nconst events = await appended;',
  },
  {
    name: 'mailbox-lets-two-in',
    module: 'common/mailbox.js',
    original: 'this.#last.then(work)',
    fault: 'Promise.resolve().then(work)',
  },
  {
    name: 'cable-before-event',
    module: 'actors/link/commands.js',
    original: 'await log.append(drafts);\n            await connect(',
    fault:
      'const [{ data: early }] = drafts;\nawait context.plumbing.putLink({ ...early, ends: early.nodes });\nawait log.append(drafts);\nawait connect(',
  },
  {
    name: 'capture-outlives-link',
    module: 'actors/link/commands.js',
    original: 'await on.end(caller);',
    fault: 'break;',
  },
  {
    name: 'started-again-without-a-look',
    module: 'actors/recovery/recover-node.js',
    original: 'await lookFor(directory.context, node, ended)',
    fault: "'nobody has looked'",
  },
  {
    name: 'early-exit',
    module: 'actors/lab.js',
    original: 'setImmediate(() => {\n            const observed',
    fault: '((work) => work())(() => {\n            const observed',
  },
  {
    // Later than a stop and another start take: those wait for three writes.
    name: 'late-exit',
    module: 'actors/lab.js',
    original: 'setImmediate(() => {\n            const observed',
    fault: '((work) => setTimeout(work, 100))(() => {\n            const observed',
  },
  {
    name: 'outcome-not-tried-again',
    module: 'actors/runtime/outcomes.js',
    original: "if (error.code === 'shutting_down' || error.code === 'lease_lost')",
    fault: 'if (true)',
  },
  {
    name: 'left-overs-not-swept',
    module: 'actors/recovery/recover.js',
    original: 'await context.plumbing.sweep(() => keptIds(context));',
    fault: '',
  },
  {
    name: 'captures-not-recovered',
    module: 'actors/recovery/recover.js',
    original: 'const captured = recoverCaptures(directory, project_id);',
    fault: 'const captured = Promise.resolve({ captures: 0, failed: 0 });',
  },
  {
    name: 'programs-outlive-the-end',
    module: 'main.js',
    original: 'lab.stopOutside()',
    fault: 'Promise.resolve()',
  },
];
