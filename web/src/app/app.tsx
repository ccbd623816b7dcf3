import { lazy, type ReactElement, Suspense } from 'react';
import { ProjectsView } from '../projects/projects-view.tsx';
import { useStore } from '../store/use-store.ts';
import { ConfirmHost } from '../ui/confirm.tsx';
import { NoticeList } from '../ui/notice-list.tsx';
import { TaskList } from '../ui/task-list.tsx';
import { LoginDialog } from './login-dialog.tsx';
import { useRoute } from './router.ts';
import { session } from './session.ts';

const LabView = lazy(() => import('./lab-view.tsx'));

export const App = (): ReactElement => {
  const route = useRoute();
  const { client, isAsked, over } = useStore(session);
  return (
    <>
      <Suspense fallback={<p className="center-note">Loading …</p>}>
        {isAsked ? null : route.view === 'projects' ? (
          <ProjectsView client={client} />
        ) : (
          <LabView key={route.projectId} client={client} over={over} projectId={route.projectId} />
        )}
      </Suspense>
      {isAsked && <LoginDialog />}
      <TaskList />
      <NoticeList />
      <ConfirmHost />
    </>
  );
};
