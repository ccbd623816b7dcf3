import { type ReactElement, type SubmitEvent, useState } from 'react';
import { ApiError, type Client } from 'topolog/client';
import { sentenceOf } from '../../store/notices.ts';
import { Dialog, FormEnd } from '../../ui/dialog.tsx';
import { SelectField, TextAreaField, TextField } from '../../ui/field.tsx';
import { t } from '../../words/words.ts';
import { addCompute, changeCompute, type Compute, type ComputeWish } from '../computes.ts';

interface Props {
  readonly client: Client;
  /** Null: a new one. */
  readonly compute: Compute | null;
  readonly onClose: () => void;
}

/** As it is typed. */
export interface ComputeDraft {
  readonly name: string;
  readonly protocol: 'http' | 'https';
  readonly host: string;
  readonly port: string;
  readonly user: string;
  readonly password: string;
  readonly certificate: string;
  readonly take: boolean;
}

const DEFAULT_PORT = '3080';
const protocols = (): { value: string; text: string }[] => [
  { value: 'http', text: 'http' },
  { value: 'https', text: t('https, encrypted') },
];

const draftOf = (compute: Compute | null): ComputeDraft => ({
  name: compute?.name ?? '',
  protocol: compute?.protocol ?? 'http',
  host: compute?.host ?? '',
  port: String(compute?.port ?? DEFAULT_PORT),
  user: compute?.user ?? '',
  password: '',
  certificate: '',
  take: false,
});

/** Request made from the draft. An existing compute keeps its password if none is typed. */
export const wishOf = (draft: ComputeDraft, isNew: boolean): ComputeWish => {
  const { name, protocol, host, port, user, password, certificate, take } = draft;
  return {
    protocol,
    host: host.trim(),
    port: Number(port),
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    ...(user.trim() === '' ? (isNew ? {} : { user: null }) : { user: user.trim() }),
    ...(password === '' ? {} : { password }),
    ...(certificate.trim() === '' ? {} : { certificate: `${certificate.trim()}\n` }),
    ...(take ? { take } : {}),
  };
};

/** It has another controller: it is ours only if we say so. */
export const isTaken = (problem: unknown): boolean =>
  problem instanceof ApiError &&
  problem.status === 409 &&
  (problem.details['field'] === 'take' || problem.message.includes('"take"'));

/** Adds a compute, or changes how one is reached. */
export const ComputeForm = ({ client, compute, onClose }: Props): ReactElement => {
  const [draft, setDraft] = useState(() => draftOf(compute));
  const [problem, setProblem] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const change = (part: Partial<ComputeDraft>): void => setDraft({ ...draft, ...part });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setBusy(true);
    const wish = wishOf(draft, compute === null);
    const sent = compute === null ? addCompute(client, wish) : changeCompute(client, compute.compute_id, wish);
    sent.then(onClose, (error: unknown) => {
      setProblem(error);
      setBusy(false);
    });
  };
  return (
    <Dialog
      title={compute === null ? t('Add a compute') : t('Change {name}', { name: compute.name })}
      onClose={onClose}
    >
      <form className="stack" onSubmit={submit}>
        <p className="note">{t('Another machine with a Topolog server, or with a GNS3 2.2 server.')}</p>
        <AddressFields draft={draft} onChange={change} />
        <LoginFields draft={draft} isNew={compute === null} onChange={change} />
        {(isTaken(problem) || draft.take) && (
          <label className="row">
            <input type="checkbox" checked={draft.take} onChange={({ target }) => change({ take: target.checked })} />
            {t('Take it over: its controller can command it no longer')}
          </label>
        )}
        <p role="status">{isBusy ? t('Connecting …') : ''}</p>
        <FormEnd
          problem={problem === null ? null : sentenceOf(problem)}
          submit={compute === null ? t('Add it') : t('Save')}
          disabled={isBusy || draft.host.trim() === ''}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
};

interface FieldsProps {
  readonly draft: ComputeDraft;
  readonly onChange: (part: Partial<ComputeDraft>) => void;
}

const AddressFields = ({ draft, onChange }: FieldsProps): ReactElement => (
  <>
    <TextField
      label={t('Name')}
      value={draft.name}
      onChange={(name) => onChange({ name })}
      note={t('Empty: its address')}
      autoComplete="off"
    />
    <div className="row spread">
      <SelectField
        label={t('Protocol')}
        value={draft.protocol}
        options={protocols()}
        onChange={(value) => onChange({ protocol: value === 'https' ? 'https' : 'http' })}
      />
      <TextField
        label={t('Port')}
        type="number"
        min={1}
        max={65535}
        required
        value={draft.port}
        onChange={(port) => onChange({ port })}
      />
    </div>
    <TextField
      label={t('Host')}
      value={draft.host}
      onChange={(host) => onChange({ host })}
      required
      autoComplete="off"
      data-first
    />
    {draft.protocol === 'https' && (
      <TextAreaField
        label={t('Certificate to trust (PEM), where the system does not know it')}
        rows={3}
        value={draft.certificate}
        onChange={(certificate) => onChange({ certificate })}
      />
    )}
  </>
);

const LoginFields = ({ draft, isNew, onChange }: FieldsProps & { isNew: boolean }): ReactElement => (
  <div className="row spread">
    <TextField
      label={t('User')}
      value={draft.user}
      onChange={(user) => onChange({ user })}
      note={t('Empty: nobody is asked there')}
      autoComplete="off"
    />
    <TextField
      label={t('Password')}
      type="password"
      value={draft.password}
      onChange={(password) => onChange({ password })}
      note={isNew ? undefined : t('Empty: as it is, at the same address')}
      autoComplete="new-password"
    />
  </div>
);
