import { sayList } from '../../words/format.ts';
import { t, told, toldTitle } from '../../words/words.ts';
import type { Entry } from '../server.ts';
import { fieldName } from './changes.ts';
import { asData, brief, isText, type Say, subjectIn, text, withWhy } from './subject.ts';

const number = (entry: Entry, key: string): number => (typeof entry.data[key] === 'number' ? entry.data[key] : 0);

/** Seconds that something took. */
const seconds = ({ took }: Entry): number => (took ?? 0) / 1000;
const timed = (entry: Entry, plain: string, took: string): string => (seconds(entry) < 0.05 ? plain : took);

const actionOf = (entry: Entry): string =>
  ({ start: t('Start'), stop: t('Stop'), suspend: t('Suspend'), reload: t('Reload') })[text(entry, 'action')] ??
  text(entry, 'action');

const added: Say = (_, { who, name, more }) =>
  t('{who} added {name}{more, plural, =0 {} one { and # other} other { and # others}}', { who, name, more });
const deleted: Say = (_, { who, name, more }) =>
  t('{who} deleted {name}{more, plural, =0 {} one { and # other} other { and # others}}', { who, name, more });
const restored: Say = (_, { who, name, more }) =>
  t('{who} restored {name}{more, plural, =0 {} one { and # other} other { and # others}}', { who, name, more });
const asked =
  (say: (words: { who: string; name: string }) => string): Say =>
  (_, { who, name }) =>
    say({ who, name });

const portIn = (entry: Entry): string => `${number(entry, 'adapter_number')}/${number(entry, 'port_number')}`;

/** Events of a lab. */
export const LAB: Readonly<Record<string, Say>> = {
  'project.created': (entry, { who }) => t('{who} made the project {name}', { who, name: text(entry, 'name') }),
  'project.updated': (entry, { who }) => {
    const changes = asData(entry.data['changes']);
    return isText(changes['name'])
      ? t('{who} renamed the project to {name}', { who, name: brief(changes['name']) })
      : t('{who} changed the project: {fields}', { who, fields: sayList(Object.keys(changes).map(fieldName)) });
  },
  'project.open_requested': (_, { who }) => t('{who} asked to open the project', { who }),
  'project.opened': () => t('The project is open'),
  'project.open_failed': (_, { why }) => withWhy(t('The project could not be opened'), why),
  'project.close_requested': (_, { who }) => t('{who} asked to close the project', { who }),
  'project.closed': () => t('The project is closed'),
  'project.deleted': (_, { who }) => t('{who} deleted the project', { who }),
  'project.replaced': () => t('The project file was changed outside, and was read again'),
  'project.file_written': () => t('The project file was written'),
  'project.nodes_requested': (entry, { who }) => t('{who} asked all nodes: {action}', { who, action: actionOf(entry) }),
  'project.nodes_finished': (entry, { why }) =>
    withWhy(
      t(
        '{action}: {done, plural, one {# node is done} other {# nodes are done}}{failed, plural, =0 {} other {, # failed}}',
        {
          action: actionOf(entry),
          done: number(entry, 'done'),
          failed: Array.isArray(entry.data['failed']) ? entry.data['failed'].length : 0,
        },
      ),
      why,
    ),
  'project.apply_requested': (entry, { who }) =>
    t('{who} applied a text: {added} to add, {changed} to change, {removed} to remove', {
      who,
      added: number(entry, 'added'),
      changed: number(entry, 'changed'),
      removed: number(entry, 'removed'),
    }),
  'project.applied': () => t('The lab is what the text says'),
  'project.apply_finished': (entry, { why }) => {
    if (entry.data['failure'] !== undefined) return withWhy(t('The text was not applied; the lab is as it was'), why);
    const failed = Array.isArray(entry.data['failed']) ? entry.data['failed'].length : 0;
    return t(
      'The text was applied{failed, plural, =0 {} one {; one node did not start} other {; # nodes did not start}}',
      {
        failed,
      },
    );
  },
  'project.unattended': () => t('The last viewer has left; the project is about to close'),
  'project.attended': () => t('Somebody is looking again'),
  'project.restore_requested': (_, { who, name }) => t('{who} asked to restore {name}', { who, name }),
  'project.restored': (_, { name }) => t('The lab is as it was in {name}', { name }),
  'project.restore_failed': (_, { name, why }) => withWhy(t('{name} could not be restored', { name }), why),
  'project.repaired': () => t('The records of the project were repaired'),
  'snapshot.created': (_, { who, name }) => t('{who} made the snapshot {name}', { who, name }),
  'snapshot.deleted': (_, { who, name }) => t('{who} deleted the snapshot {name}', { who, name }),
  'file.written': (entry, { who, name }) =>
    t('{who} wrote the file {path} of {name}', { who, name, path: text(entry, 'path') }),

  'node.created': added,
  'node.deleted': deleted,
  'node.restored': restored,
  'node.start_requested': asked((words) => t('{who} asked {name} to start', words)),
  'node.started': (entry, { name }) =>
    timed(
      entry,
      t('{name} started', { name }),
      t('{name} started in {s, number, ::.0} s', { name, s: seconds(entry) }),
    ),
  'node.start_failed': (_, { name, why }) => withWhy(t('{name} could not start', { name }), why),
  'node.stop_requested': asked((words) => t('{who} asked {name} to stop', words)),
  'node.stopped': (_, { name }) => t('{name} stopped', { name }),
  'node.stop_failed': (_, { name, why }) => withWhy(t('{name} could not stop', { name }), why),
  'node.suspend_requested': asked((words) => t('{who} asked {name} to suspend', words)),
  'node.suspended': (_, { name }) => t('{name} is suspended', { name }),
  'node.suspend_failed': (_, { name, why }) => withWhy(t('{name} could not be suspended', { name }), why),
  'node.resume_requested': asked((words) => t('{who} asked {name} to resume', words)),
  'node.resumed': (_, { name }) => t('{name} runs again', { name }),
  'node.resume_failed': (_, { name, why }) => withWhy(t('{name} could not resume', { name }), why),
  'node.reload_requested': asked((words) => t('{who} asked {name} to reload', words)),
  'node.reloaded': (entry, { name }) =>
    timed(
      entry,
      t('{name} reloaded', { name }),
      t('{name} reloaded in {s, number, ::.0} s', { name, s: seconds(entry) }),
    ),
  'node.reload_failed': (_, { name, why }) => withWhy(t('{name} could not reload', { name }), why),
  // Only the weather ends a node because of something.
  'node.exited': (entry, { name }) =>
    entry.took !== null
      ? t('The weather crashed {name}', { name })
      : typeof entry.data['code'] === 'number'
        ? t('{name} ended by itself with code {code}', { name, code: number(entry, 'code') })
        : t('{name} was ended by {signal}', { name, signal: text(entry, 'signal') }),
  'node.adopted': (_, { name }) => t('{name} was still running when the server came back', { name }),
  'node.lost': (_, { name, why }) => withWhy(t('{name} was lost', { name }), why),
  'node.recording_started': (_, { name }) => t('The console of {name} is recorded from here', { name }),
  'node.recording_stopped': (_, { name }) => t('The recording of the console of {name} ended', { name }),
  'node.unreachable': (_, { name, why }) => withWhy(t('{name} is out of reach', { name }), why),
  'node.reachable': (_, { name }) => t('{name} can be reached again', { name }),
  'node.nio_added': (entry, { who, name }) =>
    t('{who} connected port {port} of {name}', { who, name, port: portIn(entry) }),
  'node.nio_updated': (entry, { who, name }) =>
    t('{who} changed the connection of port {port} of {name}', { who, name, port: portIn(entry) }),
  'node.nio_removed': (entry, { who, name }) =>
    t('{who} disconnected port {port} of {name}', { who, name, port: portIn(entry) }),
  'node.config_collected': (_, { who, name }) => t('{who} collected the configuration of {name}', { who, name }),
  'node.trace_finished': (entry, { name }) =>
    entry.data['reached'] === true
      ? t('{name} reached {destination}', { name, destination: text(entry, 'destination') })
      : t('{name} did not reach {destination}', { name, destination: text(entry, 'destination') }),

  'link.created': added,
  'link.deleted': deleted,
  'link.restored': restored,
  'link.tunnel_made': (_, { name }) => t('A tunnel between computes carries {name}', { name }),
  'link.tunnel_joined': (_, { name }) => t('Both ends of the tunnel of {name} are there', { name }),
  'link.unproved': (_, { name, why }) => withWhy(t('{name} is not proved', { name }), why),
  'link.proved': (_, { name }) => t('{name} is proved again', { name }),
  'weather.started': (entry, { who }) =>
    t('{who} started the weather, with seed {seed}', { who, seed: String(number(entry, 'seed')) }),
  'weather.stepped': (entry) => {
    const storms = Array.isArray(entry.data['storms']) ? entry.data['storms'].filter(isText).join(', ') : '';
    const at = number(entry, 'at') / 1000;
    return storms === ''
      ? t('The weather came to {at, number} s', { at })
      : t('The weather came to {at, number} s: {storms}', { at, storms });
  },
  'weather.paused': (_, { who }) => t('{who} paused the weather', { who }),
  'weather.resumed': (_, { who }) => t('{who} let the weather go on', { who }),
  'weather.ended': () => t('The weather is over'),
  'capture.start_requested': asked((words) => t('{who} asked for a capture of {name}', words)),
  'capture.started': (_, { name }) => t('The capture of {name} runs', { name }),
  'capture.failed': (_, { name, why }) => withWhy(t('The capture of {name} failed', { name }), why),
  'capture.stop_requested': asked((words) => t('{who} asked to end the capture of {name}', words)),
  'capture.stopped': (_, { name }) => t('The capture of {name} ended', { name }),

  'drawing.created': added,
  'drawing.deleted': deleted,
  'drawing.restored': restored,
};

/** A sentence without whether it is so. */
const plain = (sentence: string): string =>
  sentence.replace(/ does not reach /, ' reaches ').replace(/ is (?:started|stopped|suspended|\w+ing)$/, ' is');

/** Says the server's finding, behind the name of the check unless it contains it. A name of one word is always said: it is somebody's own. */
const found: (say: (words: { what: string }) => string) => Say = (say) => (entry) => {
  const text = isText(entry.data['text']) ? entry.data['text'] : '';
  const name = subjectIn(entry);
  return say({
    what:
      name.includes(' ') && plain(text).includes(plain(name))
        ? brief(told(text))
        : `${toldTitle(name)}: ${brief(told(text))}`,
  });
};

/** Events of the checks of a lab, and from when to when they look at it. */
export const CHECKS: Readonly<Record<string, Say>> = {
  'run.begun': () => t('The lab runs: its checks are looked at from here'),
  'run.ended': () => t('The lab does not run any more: its checks rest'),
  'check.met': found((words) => t('Met: {what}', words)),
  'check.broken': found((words) => t('Broken: {what}', words)),
};
