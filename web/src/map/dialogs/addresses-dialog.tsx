import { type ReactElement, type SubmitEvent, useEffect, useState } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import { sentenceOf } from '../../store/notices.ts';
import type { Node } from '../../store/records.ts';
import { Dialog, FormEnd } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { t } from '../../words/words.ts';
import { addressable, addressOf, giveAddresses, roomOf, type Subnet, subnetOf } from '../actions/addresses.ts';

interface Props {
  readonly nodes: readonly Node[];
  readonly onClose: () => void;
}
type Given = Awaited<ReturnType<typeof addressable>>;

const FIRST = '10.0.0.0/24';

/** Gives nodes one address after the other in a network. */
export const AddressesDialog = ({ nodes, onClose }: Props): ReactElement => {
  const { lab } = useScope();
  const [given, setGiven] = useState<Given | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [text, setText] = useState(FIRST);
  useEffect(() => {
    addressable(lab, nodes).then(setGiven, (error: unknown) => setProblem(sentenceOf(error)));
  }, [lab, nodes]);
  const subnet = subnetOf(text);
  const wrong = given === null ? null : problemOf(given, subnet);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (given === null || subnet === null || wrong !== null) return;
    onClose();
    void giveAddresses(lab, given, subnet);
  };
  return (
    <Dialog title={t('Addresses')} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label={t('Network')}
          value={text}
          onChange={setText}
          autoComplete="off"
          spellCheck={false}
          note={t('Address and prefix length. It is written into what each node runs at its start.')}
        />
        {given !== null && subnet !== null && wrong === null && <AddressList given={given} subnet={subnet} />}
        <FormEnd
          problem={problem ?? wrong}
          submit={t('Set addresses')}
          disabled={given === null || subnet === null || wrong !== null}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
};

const problemOf = (given: Given, subnet: Subnet | null): string | null => {
  if (given.length === 0) return t('None of these nodes can be given an address here.');
  if (subnet === null) return t('Network: an address and a prefix length up to 30, as in 10.0.0.0/24');
  return roomOf(subnet) < given.length
    ? t('Network: it has room for {count, plural, one {# node} other {# nodes}} only', { count: roomOf(subnet) })
    : null;
};

const MOST_SHOWN = 6;

const AddressList = ({ given, subnet }: { given: Given; subnet: Subnet }): ReactElement => (
  <dl className="address-list">
    {given.slice(0, MOST_SHOWN).map(([{ node_id, name }], index) => (
      <div key={node_id}>
        <dt className="wrap">{name}</dt>
        <dd>
          <code>{`${addressOf(subnet, index + 1)}/${subnet.prefix}`}</code>
        </dd>
      </div>
    ))}
    {given.length > MOST_SHOWN && <p className="note">{t('and {count} more', { count: given.length - MOST_SHOWN })}</p>}
  </dl>
);
