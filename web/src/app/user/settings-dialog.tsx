import { type ReactElement, type SubmitEvent, useState } from 'react';
import { defaultComputeOf } from '../../computes/calls.ts';
import { useComputes } from '../../computes/use-computes.ts';
import { WhereField } from '../../computes/where-field.tsx';
import { sentenceOf } from '../../store/notices.ts';
import type { Project } from '../../store/records.ts';
import { useStore } from '../../store/use-store.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormEnd } from '../../ui/form-end.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { type Message, t } from '../../words/words.ts';
import { useScope } from '../lab-context.tsx';

const SWITCHES = {
  record_consoles: 'Record consoles, to be played back later',
  record_hidden_input: 'Record also what consoles do not show: passwords',
  show_interface_labels: 'Show names of ports',
  show_grid: 'Show the grid',
  snap_to_grid: 'Snap to the grid',
  auto_open: 'Open with the server',
  auto_start: 'Start all nodes when it is opened',
  auto_close: 'Close it, and stop its nodes, when its last viewer leaves',
} as const satisfies Partial<Record<keyof Project, Message>>;
type Switch = keyof typeof SWITCHES;

const ON_TAKEOVER = [
  ['leave', 'Stay there, out of reach'],
  ['restart', 'Start again here'],
] as const satisfies readonly (readonly [string, Message])[];
type OnTakeover = (typeof ON_TAKEOVER)[number][0];

/** Name and switches of a project, where its new nodes go, and what becomes of them when another server takes over. */
export const SettingsDialog = ({ project, onClose }: { project: Project; onClose: () => void }): ReactElement => {
  const { lab } = useScope();
  const [name, setName] = useState(project.name ?? '');
  const [changed, setChanged] = useState<Partial<Record<Switch, boolean>>>({});
  const before = defaultComputeOf(project);
  const [where, setWhere] = useState(before);
  const [onTakeover, setOnTakeover] = useState<OnTakeover>(project.on_takeover ?? 'leave');
  const { computes } = useStore(useComputes(lab.client));
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const body = {
      ...changed,
      ...(name.trim() === project.name ? {} : { name: name.trim() }),
      ...(where === before ? {} : { default_compute: where }),
      ...(onTakeover === (project.on_takeover ?? 'leave') ? {} : { on_takeover: onTakeover }),
    };
    lab.client
      .put('/v2/projects/{project_id}', { path: { project_id: project.project_id }, body })
      .then(onClose, (error: unknown) => setProblem(sentenceOf(error)));
  };
  return (
    <Dialog title={t('Project settings')} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField label={t('Name')} value={name} onChange={setName} required />
        {(Object.entries(SWITCHES) as [Switch, Message][]).map(([key, text]) => (
          <label key={key} className="row">
            <input
              type="checkbox"
              checked={changed[key] ?? project[key]}
              onChange={({ target }) => setChanged({ ...changed, [key]: target.checked })}
            />
            {t(text)}
          </label>
        ))}
        <WhereField label={t('New nodes go to')} computes={computes} value={where} onChange={setWhere} />
        <SelectField
          label={t('Nodes of a server that another one takes over from')}
          value={onTakeover}
          options={ON_TAKEOVER.map(([value, text]) => ({ value, text: t(text) }))}
          onChange={(value) => setOnTakeover(value === 'restart' ? 'restart' : 'leave')}
        />
        <FormEnd problem={problem} submit={t('Save')} disabled={name.trim() === ''} onClose={onClose} />
      </form>
    </Dialog>
  );
};
