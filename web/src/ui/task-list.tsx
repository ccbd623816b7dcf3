import { type ReactElement, useEffect, useState } from 'react';
import { sayTime, type Task, tasks, timeLeft } from '../store/tasks.ts';
import { useStore } from '../store/use-store.ts';
import { Button } from './button.tsx';
import { t } from '../words/words.ts';

/** Long tasks: what is happening, how far it is, how long it will take. */
export const TaskList = (): ReactElement => {
  const now = useStore(tasks);
  const [time, setTime] = useState(() => Date.now());
  useEffect(() => {
    if (now.length === 0) return undefined;
    const timer = setInterval(() => setTime(Date.now()), 500);
    return () => clearInterval(timer);
  }, [now.length]);
  return (
    <>
      {/* How far it is would be told without end. */}
      <p className="visually-hidden" role="status">
        {now.map(({ title }) => title).join(', ')}
      </p>
      {now.length > 0 && (
        <section className="tasks" aria-label={t('Work in progress')}>
          {now.map((task) => (
            <TaskRow key={task.id} task={task} time={time} />
          ))}
        </section>
      )}
    </>
  );
};

const TaskRow = ({ task, time }: { task: Task; time: number }): ReactElement => {
  const left = timeLeft(task, time);
  const spent = Math.max(0, time - task.startedAt);
  return (
    <div className="task">
      <div className="task-head">
        <strong>{task.title}</strong>
        {task.cancel !== null && <Button onClick={task.cancel}>{t('Cancel')}</Button>}
      </div>
      <progress aria-label={task.title} max={1} value={task.fraction ?? undefined} />
      <p className="note">
        {task.doing}
        {left === null
          ? spent > 2000
            ? ` · ${t('for {time}', { time: sayTime(spent) })}`
            : ''
          : ` · ${t('{time} left', { time: sayTime(left) })}`}
      </p>
    </div>
  );
};
