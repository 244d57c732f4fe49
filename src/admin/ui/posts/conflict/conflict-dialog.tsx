import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type Content, contentWith, type Field, FIELD, type PostWithEtag } from '../../api/posts.js';
import { useNewestRevision } from '../../history/revision.js';
import { TitledDialog } from '../../shell/dialogs.js';
import { useIsPhone } from '../../shell/page.js';
import { t } from '../../texts/texts.js';
import { momentText } from '../../time/dates.js';
import { useTimeZone } from '../../time/time-zone.js';
import { conflictsOf, type FieldConflict, resolve, type Side } from './conflict.js';
import { FieldChoice } from './field-choice.js';

export interface ConflictDialogProps {
  /** The common base of both sides. */
  readonly base: Content;
  readonly mine: Content;
  readonly theirs: PostWithEtag;
  readonly onSave: (content: Content) => Promise<void>;
  readonly onEdit: (content: Content) => Promise<void>;
  readonly onClose: () => void;
}

type Choice = Partial<Record<Field, Side>>;

/**
 * Shown when another user saved the post after it was read here. Shows both changes; the user chooses for each field.
 */
export function ConflictDialog(props: ConflictDialogProps): ReactNode {
  const { base, mine, theirs, onSave, onEdit, onClose } = props;
  const isPhone = useIsPhone();
  const conflicts = conflictsOf(base, withDate(mine, theirs), theirs);
  const [chosen, setChosen] = useState<Choice>(() => proposals(conflicts));
  // If the other user saves again while the dialog is open, the dialog restarts with the new text.
  const [shownEtag, setShownEtag] = useState(theirs.etag);
  if (shownEtag !== theirs.etag) {
    setShownEtag(theirs.etag);
    setChosen(proposals(conflicts));
  }
  const undecided = conflicts.filter(({ field }) => chosen[field] === undefined).length;

  const chooseAll = (side: Side): void =>
    setChosen(Object.fromEntries(conflicts.map(({ field }) => [field, side])));
  const { mutate, isPending } = useMutation({
    mutationFn: (action: (content: Content) => Promise<void>) => action(resolve(theirs, conflicts, chosen)),
  });
  const canGoOn = undecided === 0 && !isPending;

  return (
    <TitledDialog
      title={t('conflict.title')}
      onClose={onClose}
      maxWidth="md"
      fullScreen={isPhone}
      actions={
        <>
          <Typography role="status" variant="body2" sx={{ mr: 'auto', color: 'text.secondary' }}>
            {undecided > 0 && t('conflict.undecided', { smart_count: undecided })}
          </Typography>
          <Button onClick={onClose}>{t('conflict.cancel')}</Button>
          <Button variant="outlined" disabled={!canGoOn} onClick={() => mutate(onEdit)}>
            {t('conflict.edit')}
          </Button>
          <Button variant="contained" disabled={!canGoOn} onClick={() => mutate(onSave)}>
            {t('conflict.save')}
          </Button>
        </>
      }
    >
      <div>
        <Typography>{t('conflict.text')}</Typography>
        <LastChange postId={theirs.id} />
      </div>
      {conflicts.length === 0 ? (
        <Alert severity="info" variant="outlined">
          {t('conflict.same')}
        </Alert>
      ) : (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          <Button size="small" variant="outlined" onClick={() => chooseAll('mine')}>
            {t('conflict.allMine')}
          </Button>
          <Button size="small" variant="outlined" onClick={() => chooseAll('theirs')}>
            {t('conflict.allTheirs')}
          </Button>
        </Box>
      )}
      {conflicts.map((conflict) => (
        <FieldChoice
          key={conflict.field}
          conflict={conflict}
          chosen={chosen[conflict.field]}
          onChoose={(side) => setChosen({ ...chosen, [conflict.field]: side })}
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

function proposals(conflicts: readonly FieldConflict[]): Choice {
  return Object.fromEntries(
    conflicts.flatMap(({ field, proposal }) => (proposal === undefined ? [] : [[field, proposal]])),
  );
}

/**
 * Shows who changed the post last, and when. A failed request shows nothing, because the choice is possible without it.
 */
function LastChange({ postId }: { postId: number }): ReactNode {
  const zone = useTimeZone();
  const { data: last } = useNewestRevision(postId);
  if (last === undefined) return null;
  return (
    <Typography sx={{ mt: 1, color: 'text.secondary' }}>
      {t('conflict.byWhom', {
        name: last.author.name ?? t('conflict.anonymous'),
        when: momentText(last.at, zone),
      })}
    </Typography>
  );
}
