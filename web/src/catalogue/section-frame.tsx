import { type DragEvent, type ReactElement, type ReactNode, useState } from 'react';

interface Props {
  readonly title: string;
  /** Buttons beside the title. */
  readonly actions: ReactNode;
  readonly problem: string | null;
  /** Says what dropping does; null: nothing can be dropped. */
  readonly hint: string | null;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ReactNode;
}

/** A part of the catalogue, on which files are dropped. */
export const SectionFrame = ({ title, actions, problem, hint, onFiles, children }: Props): ReactElement => {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent): void => {
    if (hint === null || !event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return (
    <main className="catalogue" onDragEnter={over} onDragOver={over} onDragLeave={() => setOver(false)} onDrop={drop}>
      <div className="catalogue-body">
        <div className="catalogue-head">
          <h2>{title}</h2>
          <span className="spring" />
          {actions}
        </div>
        {problem !== null && (
          <p role="alert" className="problem wrap">
            {problem}
          </p>
        )}
        {children}
      </div>
      {isOver && <div className="drop-hint">{hint}</div>}
    </main>
  );
};
