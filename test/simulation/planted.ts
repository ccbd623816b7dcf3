/** A fault that is put into a compiled module of the product while it is loaded: the simulation has to find each of them. */
export interface Planted {
  name: string;
  /** Below dist/src/. */
  module: string;
  /** Text that is there once, and what stands in its place. */
  original: string;
  fault: string;
  /** Beginning of the types of events that kills are aimed at: right behind them it is to be seen. Absent: they come at any time. */
  aim?: string;
}

const LOG = 'events/log/log.js';
const SWEEP = 'actors/recovery/sweep.js';
const RECOVER = 'actors/recovery/recover.js';
const LAB = 'actors/lab.js';

/** An effect of an event, or what asks about it again after the server ended, is left out: see the table of effects in guarantees.md. */
const FORGOTTEN: readonly Planted[] = [
  {
    name: 'upload-forgotten',
    aim: 'file.written',
    module: SWEEP,
    original: 'await place.put(id, file, event);',
    fault: '',
  },
  {
    name: 'image-forgotten',
    aim: 'image.uploaded',
    module: SWEEP,
    original: 'await sweepUploads(context, imagePlace(context, images.folder)).catch(report);',
    fault: ';',
  },
  {
    name: 'symbol-forgotten',
    aim: 'symbol.stored',
    module: 'actors/setting-commands.js',
    original: 'await moveTo(from, place);',
    fault: ';',
  },
  {
    name: 'removal-forgotten',
    aim: 'image.deleted',
    module: 'actors/setting-commands.js',
    original: 'await removeImage(place);',
    fault: ';',
  },
  {
    name: 'copy-forgotten',
    aim: 'project.created',
    module: 'files/project/staged-project.js',
    original: 'await finish(filesDir, staging, place);',
    fault: 'await removeTree(staging);',
  },
  {
    name: 'snapshot-forgotten',
    aim: 'snapshot.created',
    module: 'files/project/sweep.js',
    original: 'await placeSnapshot(projectPath, id);',
    fault: 'await removeTree(path.join(place, name));',
  },
  {
    name: 'project-deletion-forgotten',
    aim: 'project.deleted',
    module: SWEEP,
    original: 'await finishDeletions(context).catch(report);',
    fault: '',
  },
  {
    name: 'node-deletion-forgotten',
    aim: 'node.deleted',
    module: SWEEP,
    original: 'await finishNodeDeletions(context, project);',
    fault: ';',
  },
  {
    name: 'project-file-forgotten',
    aim: 'project.closed',
    module: LAB,
    original: 'await writer.catchUp().catch(reporting(context.logger, {}));',
    fault: '',
  },
  {
    name: 'nodes-request-forgotten',
    aim: 'project.nodes_requested',
    module: RECOVER,
    original: '.finish(resume)',
    fault: '.keepAlwaysOn()',
  },
  {
    name: 'opening-forgotten',
    aim: 'project.open_requested',
    module: RECOVER,
    original: "if (now.state === 'opening')\n                await project.finish();",
    fault: "if (now.state === 'opening')\n                ;",
  },
  {
    name: 'auto-start-forgotten',
    aim: 'project.opened',
    module: RECOVER,
    original: 'project.startNodes();',
    fault: ';',
  },
  {
    name: 'restore-forgotten',
    aim: 'project.restore',
    module: RECOVER,
    original: "if (now.state === 'closing' || now.state === 'restoring') {",
    fault: "if (now.state === 'closing') {",
  },
  {
    name: 'apply-forgotten',
    aim: 'project.appl',
    module: RECOVER,
    original: 'await endApplied(project_id, resume)',
    fault: 'await Promise.resolve()',
  },
  {
    name: 'cables-forgotten',
    aim: 'link.created',
    module: RECOVER,
    original: 'await plumb(context, project_id);',
    fault: '',
  },
  { name: 'weather-forgotten', aim: 'weather.', module: LAB, original: 'weather.recover();', fault: '' },
  {
    name: 'checks-forgotten',
    aim: 'run.begun',
    module: 'actors/check/checks.js',
    original:
      'for (const { project_id } of this.#context.committed.projects())\n            this.#settle(project_id, null);',
    fault: '',
  },
  { name: 'auto-close-forgotten', aim: 'project.unattended', module: LAB, original: 'autoClose.resume();', fault: '' },
  {
    name: 'recording-end-forgotten',
    aim: 'node.stopped',
    module: 'actors/recovery/recover-node.js',
    original: 'await actor.onRecording((r) => r.sync(null));',
    fault: ';',
  },
];

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
  ...FORGOTTEN,
];
