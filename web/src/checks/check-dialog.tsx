import { type ReactElement, type SubmitEvent, useId, useState } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import { type CheckForms, useForms } from '../inspector/edit/forms.ts';
import { draftEditing } from '../inspector/form/drafts.ts';
import { FieldView } from '../inspector/form/form-view.tsx';
import '../inspector/form/form.css';
import type { Spec } from '../inspector/form/spec.ts';
import type { Draft } from '../inspector/form/values.ts';
import { sentenceOf } from '../store/notices.ts';
import type { Records } from '../store/records.ts';
import { nameFor } from '../timeline/panes/history.ts';
import { Dialog, FormEnd } from '../ui/dialog.tsx';
import { SelectField } from '../ui/field.tsx';
import { type Message, t, told, toldTitle } from '../words/words.ts';
import {
  bodyOf,
  type CheckDraft,
  draftOfCheck,
  shownInner,
  shownOuter,
  type Subject,
  SUBJECTS,
} from './check-draft.ts';
import { type Check, saveCheck } from './checks.ts';

const NAMES: Readonly<Record<Subject, Message>> = {
  reach: 'One node reaches another',
  loss: 'Few enough probes are lost',
  console: 'A console shows something',
  capture: 'A frame passes a link, or never does',
  state: 'A node has a state',
  counter: 'Traffic of a link is within bounds',
  exec: 'A command of yours ends well',
  ospf: 'A router has its neighbors of OSPF',
  bgp: 'A router has its neighbors of BGP',
  vlan: 'A port carries a VLAN',
  vrrp: 'A router has its role in VRRP',
};

interface Props {
  /** Null: a new one. */
  readonly check: Check | null;
  readonly onClose: () => void;
}

/** Makes a check, or changes one, by the form that the server describes. */
export const CheckDialog = ({ check, onClose }: Props): ReactElement => {
  const { lab } = useScope();
  const { forms, problem: unread } = useForms(lab.client);
  const saving = useSaving(check, forms?.check ?? null, onClose);
  const { draft, setDraft } = saving;
  return (
    <Dialog
      title={check === null ? t('New check') : t('Change {name}', { name: toldTitle(check.title) })}
      onClose={onClose}
    >
      <form className="stack check-form" onSubmit={saving.submit}>
        {unread !== null && <p className="problem">{unread}</p>}
        <SelectField
          label={t('What is to hold')}
          value={draft.subject}
          options={SUBJECTS.map((subject) => ({ value: subject, text: t(NAMES[subject]) }))}
          onChange={(subject) => setDraft({ ...draft, subject: subject as Subject, inner: {} })}
        />
        {forms !== null && <Fields {...{ check, saving }} forms={forms.check} />}
        <FormEnd
          problem={saving.problem}
          submit={t('Save')}
          disabled={forms === null || saving.isBusy}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
};

const useSaving = (check: Check | null, forms: CheckForms | null, onClose: () => void) => {
  const { lab } = useScope();
  const [draft, setDraft] = useState<CheckDraft>(() => draftOfCheck(check));
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (forms === null) return;
    const made = bodyOf(forms, draft, check);
    const count = Object.keys(made.problems).length;
    setProblems(made.problems);
    setProblem(
      count === 0 ? null : t('{count, plural, one {One field is} other {# fields are}} not right.', { count }),
    );
    if (count > 0) return;
    setBusy(true);
    saveCheck(lab, check, made.body).then(onClose, (error: unknown) => {
      setProblem(sentenceOf(error));
      setBusy(false);
    });
  };
  return { draft, setDraft, problems, problem, isBusy, submit };
};

interface FieldsProps {
  readonly forms: CheckForms;
  readonly check: Check | null;
  readonly saving: ReturnType<typeof useSaving>;
}

const Fields = ({ forms, check, saving: { draft, setDraft, problems } }: FieldsProps): ReactElement => {
  const { subject, inner, outer } = draft;
  const setInner = (spec: Spec, value: Draft): void => setDraft({ ...draft, inner: { ...inner, [spec.key]: value } });
  const setOuter = (spec: Spec, value: Draft): void => setDraft({ ...draft, outer: { ...outer, [spec.key]: value } });
  const problemOf = ({ key }: Spec): string | null => problems[key] ?? null;
  return (
    <>
      <div className="form-fields">
        {(forms.subjects[subject] ?? []).map((spec) => {
          const given = shownInner(spec, draft, check);
          // Switches that a check leaves out are off.
          const shown = given === null && spec.widget === 'switch' ? false : given;
          const set = (value: Draft): void => setInner(spec, value);
          return isOfObject(spec) ? (
            <ObjectField key={spec.key} spec={spec} value={shown} problem={problemOf(spec)} onChange={set} />
          ) : (
            <FieldView
              key={`${subject} ${spec.key}`}
              place={{ spec, isOfKind: false }}
              targets={[]}
              editing={draftEditing(shown, problemOf(spec), set)}
            />
          );
        })}
      </div>
      <details>
        <summary>{t('Name, times and points')}</summary>
        <div className="form-fields">
          {forms.own.map((spec) => (
            <FieldView
              key={spec.key}
              place={{ spec, isOfKind: false }}
              targets={[]}
              editing={draftEditing(shownOuter(spec, draft, check), problemOf(spec), (value) => setOuter(spec, value))}
            />
          ))}
        </div>
      </details>
    </>
  );
};

const NODES = new Set(['from', 'node']);
const isOfLink = ({ key }: Spec): boolean => key === 'link';

/** It names a node or a link of the lab. */
const isOfObject = (spec: Spec): boolean => NODES.has(spec.key) || spec.key === 'to' || isOfLink(spec);

interface ObjectFieldProps {
  readonly spec: Spec;
  readonly value: Draft | null;
  readonly problem: string | null;
  readonly onChange: (value: string) => void;
}

/** Chooses a node or a link of the lab; what is to be reached may be an address as well. */
const ObjectField = ({ spec, value, problem, onChange }: ObjectFieldProps): ReactElement => {
  const { records } = useView();
  const id = useId();
  const shown = typeof value === 'string' ? value : '';
  const help = told(spec.help);
  return (
    <div className="form-field">
      <div className="form-label" title={help}>
        <label htmlFor={id}>{told(spec.title)}</label>
      </div>
      <div className="form-control">
        {spec.key === 'to' ? (
          <>
            <input
              id={id}
              type="text"
              list={`${id}-nodes`}
              autoComplete="off"
              value={nameOf(records, shown)}
              aria-describedby={`${id}-problem`}
              onChange={({ target }) => onChange(idOf(records, target.value))}
            />
            <datalist id={`${id}-nodes`}>
              {[...records.nodes.values()].map((node) => (
                <option key={node.node_id} value={node.name} />
              ))}
            </datalist>
          </>
        ) : (
          <select
            id={id}
            value={shown}
            aria-describedby={`${id}-problem`}
            onChange={({ target }) => onChange(target.value)}
          >
            <option value="">{spec.isRequired ? t('choose …') : t('any')}</option>
            {choicesOf(records, spec).map(([key, name]) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </select>
        )}
      </div>
      <div id={`${id}-problem`} role="status" className="form-said">
        {problem !== null && <p className="problem wrap">{problem}</p>}
      </div>
    </div>
  );
};

const choicesOf = (records: Records, spec: Spec): readonly (readonly [string, string])[] =>
  isOfLink(spec)
    ? [...records.links.keys()].map((id) => [id, nameFor(records, 'link', id)])
    : [...records.nodes.values()].map(({ node_id, name }) => [node_id, name]);

/** Names are unique in a lab, so one leads to its node. */
const idOf = ({ nodes }: Records, text: string): string =>
  [...nodes.values()].find(({ name }) => name === text)?.node_id ?? text;
const nameOf = ({ nodes }: Records, id: string): string => nodes.get(id)?.name ?? id;
