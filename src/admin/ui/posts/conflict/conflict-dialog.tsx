import { Box, Button, Typography } from '@mui/material';
import { type ReactNode, useMemo, useState } from 'react';
import { type Content, contentWith, FIELD, type PostWithEtag } from '../../api/posts.js';
import { useNewestRevision } from '../../history/revision.js';
import { useAnnouncement } from '../../shell/announcements.js';
import { TitledDialog } from '../../shell/dialogs.js';
import { useIsPhone } from '../../shell/page.js';
import { counted, isolated } from '../../texts/texts.js';
import { Moment } from '../../time/moment.js';
import { FieldChoices } from './field-choices.js';
import { conflictsOf, mergeContents, resolve, type Side } from './merge.js';

export interface ConflictDialogProps {
  /** The common base of both sides. */
  readonly base: Content;
  readonly mine: Content;
  readonly theirs: PostWithEtag;
  readonly onResolve: (content: Content, isSaved: boolean) => void;
  readonly onClose: () => void;
}

type Decisions = Readonly<Record<string, Side>>;

/**
 * Shown when another user saved the post after it was read here. What does not conflict is kept from both sides; the user
 * decides about each conflict.
 */
export function ConflictDialog(props: ConflictDialogProps): ReactNode {
  const { base, mine, theirs, onResolve, onClose } = props;
  const isPhone = useIsPhone();
  const [decisions, setDecisions] = useState<Decisions>({});
  const merges = useMemo(() => mergeContents(base, withDate(mine, theirs), theirs), [base, mine, theirs]);
  const keys = merges.flatMap((merge) => conflictsOf(merge).map(({ key }) => key));
  const undecided = keys.filter((key) => decisions[key] === undefined).length;
  const toDo = undecided > 0 && `Decide about ${counted(undecided, 'conflict')}.`;
  useAnnouncement(toDo);
  const decideAll = (side: Side): void => setDecisions(Object.fromEntries(keys.map((key) => [key, side])));
  const apply = (isSaved: boolean): void => onResolve(resolve(theirs, merges, decisions), isSaved);

  return (
    <TitledDialog
      title="This post was changed by another user"
      // A click beside the dialog does not lose the decisions.
      onClose={(reason) => reason === 'escapeKeyDown' && onClose()}
      maxWidth="md"
      fullScreen={isPhone}
      actions={
        <>
          <Typography variant="body2" sx={{ mr: 'auto', color: 'text.secondary' }}>
            {toDo}
          </Typography>
          <Button onClick={onClose}>Back to my text</Button>
          <Button variant="outlined" disabled={undecided > 0} onClick={() => apply(false)}>
            Merge and continue editing
          </Button>
          <Button variant="contained" disabled={undecided > 0} onClick={() => apply(true)}>
            Save this
          </Button>
        </>
      }
    >
      <div>
        <Typography>
          It was changed after you opened it. Your save changed nothing. What does not conflict is kept from
          both of you.
        </Typography>
        <LastChange postId={theirs.id} />
      </div>
      {keys.length > 0 && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          <Button size="small" variant="outlined" onClick={() => decideAll('mine')}>
            Mine everywhere
          </Button>
          <Button size="small" variant="outlined" onClick={() => decideAll('theirs')}>
            Theirs everywhere
          </Button>
        </Box>
      )}
      {merges.map((merge) => (
        <FieldChoices
          key={merge.field}
          merge={merge}
          base={base[merge.field]}
          theirs={theirs[merge.field]}
          decisions={decisions}
          onDecide={(key, side) => setDecisions({ ...decisions, [key]: side })}
        />
      ))}
    </TitledDialog>
  );
}

/** Replaces an empty date with the stored one. */
function withDate(mine: Content, theirs: Content): Content {
  return contentWith((field) =>
    FIELD[field].kind === 'moment' && mine[field] === '' ? theirs[field] : mine[field],
  );
}

/** Shows who changed the post last, and when. A failed request shows nothing, because the decision is possible without. */
function LastChange({ postId }: { postId: number }): ReactNode {
  const { data: last } = useNewestRevision(postId);
  if (last === undefined) return null;
  return (
    <Typography sx={{ mt: 1, color: 'text.secondary' }}>
      {`Changed by ${isolated(last.author.name ?? 'a client of the API')}, `}
      <Moment at={last.at} />.
    </Typography>
  );
}
