import { type ReactElement, useState } from 'react';
import { detach } from '../../app/detached/detach.ts';
import { type LabScope, useScope } from '../../app/lab-context.tsx';
import { useIsNarrow } from '../../app/use-is-narrow.ts';
import { useStore } from '../../store/use-store.ts';
import { keyOf } from '../../store/workbench.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { t } from '../../words/words.ts';

interface Props {
  readonly isSending: boolean;
  readonly onSending: (isSending: boolean) => void;
}

/** What is about the dock as a whole: where it stands, how large it is, sending to several. */
export const DockTools = ({ isSending, onSending }: Props): ReactElement => {
  const scope = useScope();
  const { frame, isDetached } = scope;
  const { dock, isDockLarge } = useStore(frame);
  const isNarrow = useIsNarrow();
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  const items: MenuItem[] = [
    { text: t('Send to several consoles'), icon: 'send', onChoose: () => onSending(!isSending), isOn: isSending },
    ...(isDetached ? [] : placesOf(scope, { isBeside: dock === 'right', isNarrow })),
  ];
  return (
    <>
      {!isDetached && (
        <IconButton
          icon={isDockLarge ? 'restore' : 'maximise'}
          label={isDockLarge ? t('Show the map again') : t('Maximise the dock')}
          aria-pressed={isDockLarge}
          onClick={() => frame.update((now) => ({ ...now, isDockLarge: !now.isDockLarge }))}
        />
      )}
      <IconButton
        icon="more"
        label={t('More for the dock')}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect();
          setAt({ x: left, y: bottom });
        }}
      />
      {at !== null && <Menu label={t('The dock')} at={at} items={items} onClose={() => setAt(null)} />}
    </>
  );
};

/** Where the dock can go. */
const placesOf = (
  scope: LabScope,
  { isBeside, isNarrow }: { readonly isBeside: boolean; readonly isNarrow: boolean },
): MenuItem[] => {
  const { frame, workbench } = scope;
  const turn: MenuItem = {
    text: isBeside ? t('Below the map') : t('Beside the map'),
    icon: 'split',
    startsGroup: true,
    onChoose: () => frame.update((now) => ({ ...now, dock: isBeside ? 'below' : 'right', isDockLarge: false })),
  };
  const all: MenuItem = {
    text: t('All tabs into a window of their own'),
    icon: 'window',
    onChoose: () => detach(scope, workbench.get().panels.map(keyOf)),
  };
  return isNarrow ? [all] : [turn, all];
};
