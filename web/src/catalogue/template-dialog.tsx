import { type ReactElement, type SubmitEvent, useMemo, useState } from 'react';
import type { Client, Schemas } from 'topolog/client';
import { type TemplateSpecs, useForms } from '../inspector/edit/forms.ts';
import type { Place } from '../inspector/edit/targets.ts';
import type { Editing } from '../inspector/edit/use-edit.ts';
import { draftEditing, type Drafts, shownIn } from '../inspector/form/drafts.ts';
import { FormContext } from '../inspector/form/form-scope.ts';
import { FieldView, FormGroups } from '../inspector/form/form-view.tsx';
import { shownName } from '../map/palette/templates.ts';
import { notify, sentenceOf } from '../store/notices.ts';
import { Dialog, FormEnd } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { sayKind } from '../words/titles.ts';
import { t } from '../words/words.ts';
import { bodyOf, templateOfNode, type TemplateSubject } from './template-draft.ts';

interface Props {
  readonly client: Client;
  readonly subject: TemplateSubject;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const titleOf = (subject: TemplateSubject): string =>
  subject.what === 'new'
    ? t('New template')
    : subject.what === 'node'
      ? t('Make a template of {name}', { name: subject.node.name })
      : t('Change {name}', { name: shownName(subject.template) });

const NO_SPECS: TemplateSpecs = { own: [], ofKind: [] };

/** Makes or changes a template, by the form of its kind. */
const TemplateDialog = (props: Props): ReactElement => {
  const { client, subject, onClose } = props;
  const { forms, problem: unread } = useForms(client);
  const [picked, setPicked] = useState<string | null>(null);
  const kind = kindOf(subject) ?? picked ?? forms?.kinds[0]?.name ?? '';
  const specs = useMemo(() => withoutName(forms?.template(kind) ?? NO_SPECS), [forms, kind]);
  const { name, setName, problem, isBusy, editingOf, forget, submit } = useSaving(props, kind, specs);
  return (
    <Dialog title={titleOf(subject)} onClose={onClose} wide>
      <form className="stack template-form" onSubmit={submit}>
        {unread !== null && <p className="problem">{unread}</p>}
        <TextField label={t('Name')} value={name} onChange={setName} required autoComplete="off" />
        {subject.what === 'new' && (
          <>
            <SelectField
              label={t('Kind')}
              value={kind}
              options={(forms?.kinds ?? []).map((one) => ({ value: one.name, text: sayKind(one.name) }))}
              onChange={(value) => {
                setPicked(value);
                forget();
              }}
            />
            <p className="note">{t('What you leave empty is as usual for its kind.')}</p>
          </>
        )}
        <FormContext value={{ client, images: { computeId: 'local', nodeType: kind } }}>
          <FormGroups {...specs}>
            {(place) => (
              <FieldView key={`${kind} ${place.spec.key}`} place={place} targets={[]} editing={editingOf(place)} />
            )}
          </FormGroups>
        </FormContext>
        <FormEnd problem={problem} submit={t('Save')} disabled={isBusy || forms === null} onClose={onClose} />
      </form>
    </Dialog>
  );
};
export default TemplateDialog;

/** Drafts of the fields, until they are saved. */
const useSaving = ({ client, subject, onDone, onClose }: Props, kind: string, specs: TemplateSpecs) => {
  const [name, setName] = useState(nameOf(subject));
  const [drafts, setDrafts] = useState<Drafts>({});
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const given = useMemo(() => givenBy(subject, specs), [subject, specs]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const made = bodyOf(specs, drafts);
    setProblems(made.problems);
    const count = Object.keys(made.problems).length;
    setProblem(
      count === 0 ? null : t('{count, plural, one {One field is} other {# fields are}} not right.', { count }),
    );
    if (count > 0) return;
    setBusy(true);
    const base = subject.what === 'template' ? {} : given;
    save(client, subject, kind, { ...base, ...made.body, name: name.trim() }).then(
      () => {
        onDone();
        onClose();
      },
      (error: unknown) => {
        setProblem(sentenceOf(error));
        setBusy(false);
      },
    );
  };
  const editingOf = ({ spec }: Place): Editing =>
    draftEditing(shownIn(spec, drafts, given), problems[spec.key] ?? null, (draft) =>
      setDrafts((before) => ({ ...before, [spec.key]: draft })),
    );
  return { name, setName, problem, isBusy, editingOf, forget: () => setDrafts({}), submit };
};

/** Values to begin with. */
const givenBy = (subject: TemplateSubject, specs: TemplateSpecs): Readonly<Record<string, unknown>> => {
  if (subject.what === 'template') return subject.template;
  return subject.what === 'node' ? templateOfNode(specs, subject.node) : {};
};

const nameOf = (subject: TemplateSubject): string =>
  subject.what === 'new' ? '' : subject.what === 'node' ? subject.node.name : subject.template.name;

const kindOf = (subject: TemplateSubject): string | null =>
  subject.what === 'new' ? null : subject.what === 'node' ? subject.node.node_type : subject.template.template_type;

/** It stands over the others. */
const withoutName = ({ own, ofKind }: TemplateSpecs): TemplateSpecs => ({
  own: own.filter(({ key }) => key !== 'name'),
  ofKind,
});

const save = async (
  client: Client,
  subject: TemplateSubject,
  kind: string,
  body: Record<string, unknown> & { name: string },
): Promise<void> => {
  if (subject.what === 'template') {
    await client.put('/v2/templates/{template_id}', { path: { template_id: subject.template.template_id }, body });
    return;
  }
  const { name } = await client.post('/v2/templates', {
    body: { ...body, template_type: kind, compute_id: 'local' } as Schemas['TemplateCreate'],
  });
  notify('success', t('{name} is a template now: every lab offers it.', { name }));
};
