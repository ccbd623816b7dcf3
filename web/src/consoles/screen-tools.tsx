import { type KeyboardEvent, type ReactElement, type ReactNode, useState } from 'react';
import { copyText } from '../ui/copy.ts';
import { IconButton } from '../ui/button.tsx';
import { changeFontSize } from './font-size.ts';
import type { Screen } from './screen.ts';

interface Props {
  readonly screen: Screen | null;
  /** What is said of it, on the left. */
  readonly children: ReactNode;
  /** Further buttons. */
  readonly buttons?: ReactNode;
}

/** What can be done with any terminal: search, copy, size of its letters. */
export const ScreenTools = ({ screen, children, buttons }: Props): ReactElement => {
  const [isFinding, setFinding] = useState(false);
  const endFinding = (): void => {
    setFinding(false);
    screen?.stopFinding();
    screen?.terminal.focus();
  };
  return (
    <div className="screen-tools">
      <div className="screen-said">{children}</div>
      {isFinding && screen !== null && <FindBar screen={screen} onEnd={endFinding} />}
      {buttons}
      <IconButton
        icon="search"
        label="Search in this console"
        aria-pressed={isFinding}
        onClick={() => (isFinding ? endFinding() : setFinding(true))}
      />
      <IconButton
        icon="copy"
        label="Copy the selection, or everything"
        onClick={() => void copyText(screen?.text() ?? '', 'Text of the console')}
      />
      <IconButton icon="minus" label="Smaller letters" onClick={() => changeFontSize(-1)} />
      <IconButton icon="add" label="Larger letters" onClick={() => changeFontSize(1)} />
    </div>
  );
};

const FindBar = ({ screen, onEnd }: { screen: Screen; onEnd: () => void }): ReactElement => {
  const [text, setText] = useState('');
  const [isFound, setFound] = useState(true);
  const find = (wanted: string, isBackwards: boolean): void =>
    setFound(wanted === '' || screen.find(wanted, isBackwards));
  const press = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === 'Escape') onEnd();
    if (event.key === 'Enter') find(text, !event.shiftKey);
  };
  return (
    <div className="find-bar" role="search">
      <input
        type="search"
        aria-label="Search for; Enter goes up, Shift and Enter down"
        value={text}
        autoFocus
        onChange={(event) => {
          setText(event.target.value);
          find(event.target.value, true);
        }}
        onKeyDown={press}
      />
      <span className="note" role="status">
        {isFound ? '' : 'Not found'}
      </span>
      <IconButton icon="chevronUp" label="Previous match" onClick={() => find(text, true)} />
      <IconButton icon="chevronDown" label="Next match" onClick={() => find(text, false)} />
    </div>
  );
};
