import { type ReactElement, type SubmitEvent, useState } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import { sentenceOf } from '../store/notices.ts';
import { nameFor } from '../timeline/panes/history.ts';
import { Dialog, FormEnd } from '../ui/dialog.tsx';
import { SelectField, TextAreaField, TextField } from '../ui/field.tsx';
import { t } from '../words/words.ts';
import { type Act, ACT_NAMES, ACTS, bodyOf, draftOf, type EntryDraft } from './entry-draft.ts';
import { type Entry, saveEntry } from './weather.ts';

interface Props {
  /** Null: a new one. */
  readonly entry: Entry | null;
  readonly onClose: () => void;
}

/** Makes something that is to happen, or changes it. */
export const EntryDialog = ({ entry, onClose }: Props): ReactElement => {
  const { lab } = useScope();
  const [draft, setDraft] = useState(() => draftOf(entry));
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const change = (part: Partial<EntryDraft>): void => setDraft({ ...draft, ...part });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setBusy(true);
    // Mistakes in the draft are thrown, and so told in the same way as a refusal of the server.
    Promise.resolve()
      .then(() => saveEntry(lab, entry, bodyOf(draft)))
      .then(onClose, (error: unknown) => {
        setProblem(sentenceOf(error));
        setBusy(false);
      });
  };
  return (
    <Dialog title={entry === null ? t('New weather') : t('Change the weather')} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label={t('Name')}
          value={draft.name}
          onChange={(name) => change({ name })}
          autoComplete="off"
          note={t('Checks can say during which weather they hold.')}
        />
        <TimeFields draft={draft} onChange={change} />
        <SelectField
          label={t('What happens')}
          value={draft.act}
          options={ACTS.map((act) => ({ value: act, text: t(ACT_NAMES[act]) }))}
          onChange={(act) => change({ act: act as Act, objects: [] })}
        />
        <ActFields draft={draft} onChange={change} />
        <ObjectFields draft={draft} onChange={change} />
        <FormEnd problem={problem} submit={t('Save')} disabled={isBusy} onClose={onClose} />
      </form>
    </Dialog>
  );
};

interface FieldsProps {
  readonly draft: EntryDraft;
  readonly onChange: (part: Partial<EntryDraft>) => void;
}

const TimeFields = ({ draft, onChange }: FieldsProps): ReactElement => (
  <>
    <div className="row spread">
      <TextField label={t('At')} value={draft.at} onChange={(at) => onChange({ at })} autoComplete="off" />
      <TextField
        label={t('For')}
        value={draft.lasts}
        onChange={(lasts) => onChange({ lasts })}
        autoComplete="off"
        placeholder={draft.act === 'trace' ? t('as long as it was measured') : t('to the end')}
      />
    </div>
    <div className="row spread">
      <TextField
        label={t('Again every')}
        value={draft.every}
        onChange={(every) => onChange({ every })}
        autoComplete="off"
        placeholder={t('once only')}
      />
      <TextField
        label={t('Times')}
        value={draft.times}
        inputMode="numeric"
        onChange={(times) => onChange({ times })}
        autoComplete="off"
        placeholder={t('to the end')}
      />
    </div>
    <p className="note">{t('Times are such as 500ms, 10s or 2m, from the start of the weather.')}</p>
  </>
);

const ActFields = ({ draft, onChange }: FieldsProps): ReactElement | null => {
  const { act, filters, from, steps, down, up, csv } = draft;
  if (act === 'filters' || act === 'ramp')
    return (
      <>
        {act === 'ramp' && (
          <TextAreaField
            label={t('Filters at its beginning; empty: none')}
            rows={2}
            value={from}
            onChange={(text) => onChange({ from: text })}
          />
        )}
        <TextAreaField
          label={t('Filters, one a line, such as delay 50 5 or packet_loss 10')}
          rows={3}
          value={filters}
          onChange={(text) => onChange({ filters: text })}
        />
        {act === 'ramp' && (
          <TextField
            label={t('Steps')}
            inputMode="numeric"
            value={steps}
            onChange={(text) => onChange({ steps: text })}
          />
        )}
      </>
    );
  if (act === 'flap')
    return (
      <div className="row spread">
        <TextField label={t('Down for')} value={down} onChange={(text) => onChange({ down: text })} />
        <TextField label={t('Up for')} value={up} onChange={(text) => onChange({ up: text })} />
      </div>
    );
  if (act !== 'trace') return null;
  return (
    <TextAreaField
      label={t('What was measured, as CSV: seconds, kbit/s, ms, %')}
      rows={5}
      value={csv}
      onChange={(text) => onChange({ csv: text })}
    />
  );
};

/** Which links it happens to; which nodes crash. */
const ObjectFields = ({ draft: { act, objects }, onChange }: FieldsProps): ReactElement => {
  const { records } = useView();
  const isCrash = act === 'crash';
  const choices = isCrash
    ? [...records.nodes.values()].map(({ node_id, name }) => [node_id, name] as const)
    : [...records.links.keys()].map((id) => [id, nameFor(records, 'link', id)] as const);
  const turn = (id: string, isOn: boolean): void =>
    onChange({ objects: isOn ? [...objects, id] : objects.filter((one) => one !== id) });
  return (
    <fieldset className="weather-objects">
      <legend>{isCrash ? t('Nodes') : t('Links; none chosen: all of them')}</legend>
      {choices.map(([id, name]) => (
        <label key={id} className="row">
          <input type="checkbox" checked={objects.includes(id)} onChange={({ target }) => turn(id, target.checked)} />
          <span className="wrap">{name}</span>
        </label>
      ))}
    </fieldset>
  );
};
