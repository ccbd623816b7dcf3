import { type ReactElement, useEffect, useMemo, useState } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import { attempt } from '../store/notices.ts';
import { useStore } from '../store/use-store.ts';
import { openSheet } from '../store/workbench.ts';
import { count } from '../timeline/panes/words.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { followPackets, type PacketFeed } from './packet-feed.ts';
import { PacketTable } from './packet-table.tsx';
import { findPackets } from './packets.ts';
import './links.css';

/** The packets of a capture as they come. */
export const PacketsPanel = ({ linkId }: { linkId: string }): ReactElement => {
  const { lab } = useScope();
  const isCapturing = useStore(lab.state, (now) => now.records.links.get(linkId)?.capturing === true);
  const isConnected = useStore(lab.state, (now) => now.connection === 'connected');
  const [feed, setFeed] = useState<PacketFeed | null>(null);
  useEffect(() => {
    const made = followPackets(lab.client, lab.projectId, linkId);
    setFeed(made);
    return () => made.close();
  }, [lab, linkId]);
  const isWanted = isCapturing && isConnected;
  useEffect(() => feed?.socket.want(isWanted), [feed, isWanted]);
  return feed === null ? (
    <p className="panel-note">Loading …</p>
  ) : (
    <Packets feed={feed} linkId={linkId} isCapturing={isCapturing} />
  );
};

interface Props {
  readonly feed: PacketFeed;
  readonly linkId: string;
  readonly isCapturing: boolean;
}

const Packets = ({ feed, linkId, isCapturing }: Props): ReactElement => {
  const { workbench } = useScope();
  const { past } = useView();
  const { packets, skipped } = useStore(feed.list);
  const [text, setText] = useState('');
  const [isFollowing, setFollowing] = useState(true);
  const found = useMemo(() => findPackets(packets, text), [packets, text]);
  return (
    <>
      <div className="packet-tools">
        <input
          type="search"
          aria-label="Show packets with these words"
          placeholder="Filter"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <span className="note" role="status" data-testid="packet-count">
          {found.length === packets.length ? '' : `${found.length} of `}
          {count(packets.length, 'packet')}
          {skipped > 0 ? `, ${skipped} more only in the file` : ''}
        </span>
        <span className="spring" />
        {past !== null && <span className="past-said">These are of the present</span>}
        <CaptureSwitch linkId={linkId} isCapturing={isCapturing} />
        <label className="row">
          <input type="checkbox" checked={isFollowing} onChange={(event) => setFollowing(event.target.checked)} />
          Follow
        </label>
        <IconButton icon="delete" label="Empty the list; the file stays" onClick={feed.clear} />
        <IconButton
          icon="filter"
          label="Filters and capture of this link"
          onClick={() => workbench.update(openSheet({ kind: 'link', linkId }))}
        />
      </div>
      <PacketTable packets={found} isFollowing={isFollowing} onLeave={() => setFollowing(false)} />
    </>
  );
};

const CaptureSwitch = ({ linkId, isCapturing }: { linkId: string; isCapturing: boolean }): ReactElement => {
  const { lab } = useScope();
  const { isReadOnly } = useView();
  const call = { path: { project_id: lab.projectId, link_id: linkId }, body: {} };
  const turn = (): Promise<boolean> =>
    attempt(() =>
      isCapturing
        ? lab.client.post('/v2/projects/{project_id}/links/{link_id}/stop_capture', call)
        : lab.client.post('/v2/projects/{project_id}/links/{link_id}/start_capture', call),
    );
  return (
    <Button icon={isCapturing ? 'stop' : 'capture'} disabled={isReadOnly} onClick={() => void turn()}>
      {isCapturing ? 'Stop' : 'Capture'}
    </Button>
  );
};
