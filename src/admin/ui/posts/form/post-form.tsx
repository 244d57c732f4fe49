import { Alert, Box, Button, Paper } from '@mui/material';
import { memo, type ReactNode, useState } from 'react';
import { type Content, FIELDS, type PostWithEtag } from '../../api/posts.js';
import { useObservable } from '../../api/observable.js';
import { Remembered } from '../../api/remembered.js';
import { SelectField } from '../../shell/fields.js';
import { Failure } from '../../shell/failure.js';
import { LeaveGuard } from '../../shell/leave-guard.js';
import { STICKY } from '../../shell/list/selection.js';
import { useSaveKey } from '../../shell/use-save-key.js';
import { useStable } from '../../shell/use-stable.js';
import { counted } from '../../texts/texts.js';
import { ConflictDialog } from '../conflict/conflict-dialog.js';
import { DraftOffer } from './drafts.js';
import { FieldInput } from './fields.js';
import { type AfterSave, usePostForm } from './use-post-form.js';

export interface PostFormProps {
  /** The post as last read or saved; undefined for a new one. */
  readonly post?: PostWithEtag;
  readonly initial: Content;
  readonly onSaved: (saved: PostWithEtag, after: AfterSave) => void;
}

/** The form of a new or existing post, with the dialogs for conflicts, drafts and unsaved input. */
export function PostForm({ post, initial: given, onSaved }: PostFormProps): ReactNode {
  const [initial] = useState(given);
  const form = usePostForm(post, initial, onSaved);
  const { values, faults, failure, theirs, settle } = form;
  const change = useStable(form.change);
  const save = useStable(form.save);
  const chosenAfter = useObservable(afterSave);
  const faulty = Object.keys(faults).length;
  return (
    <Box
      component="form"
      {...form.areaProps()}
      {...form.propsFor({ on: post, after: chosenAfter })}
      sx={{ flex: 1, display: 'flex', flexDirection: 'column', gap: 2.5, minWidth: 0 }}
    >
      {failure !== null && (
        <Failure
          error={failure}
          {...(form.isDeleted && { retry: form.createAgain, retryLabel: 'Save as a new post' })}
        />
      )}
      {faulty > 0 && (
        <Alert severity="error" role="alert">
          {`${counted(faulty, 'field has a fault', 'fields have faults')}.`}
        </Alert>
      )}
      <DraftOffer drafts={form.drafts} onTake={form.takeDraft} onDiscard={form.discardDraft} />
      {FIELDS.map((field) => (
        <FieldInput
          key={field}
          field={field}
          isFirst={post === undefined && field === FIELDS[0]}
          value={values[field]}
          original={post?.[field] ?? ''}
          fault={faults[field]}
          onChange={change}
        />
      ))}
      <Actions isSaving={form.isPending} onSave={save} />
      <LeaveGuard isDirty={form.isDirty} isKept={!form.drafts.isTooLarge} onLeave={form.drafts.remove} />
      {post && theirs && (
        <ConflictDialog
          base={post}
          mine={values}
          theirs={theirs}
          onResolve={(resolved, isSaved) => settle(resolved, theirs, isSaved)}
          onClose={form.reset}
        />
      )}
    </Box>
  );
}

const AFTER_SAVE: Readonly<Record<AfterSave, string>> = {
  list: 'Return to the list',
  continue: 'Stay here',
  another: 'Add another post',
};

/** What follows a save, as it was chosen last in this browser. */
const afterSave = new Remembered<AfterSave>('after-save', 'list', (after) =>
  Object.hasOwn(AFTER_SAVE, after),
);

interface ActionsProps {
  readonly isSaving: boolean;
  readonly onSave: (after: AfterSave) => void;
}

/**
 * The save button and what it does afterwards. Always visible, unless the window is too low. Not rendered again at each key
 * press.
 */
const Actions = memo(function Actions({ isSaving, onSave }: ActionsProps): ReactNode {
  useSaveKey(() => onSave('continue'));
  return (
    <Paper
      square
      role="group"
      aria-label="Actions"
      sx={[STICKY, { mt: 0, px: { xs: 2, md: 0 }, backgroundColor: 'background.default' }]}
    >
      {/* Not disabled during a save: it would lose the focus. */}
      <Button type="submit" variant="contained" aria-disabled={isSaving}>
        <span>{isSaving ? 'Saving…' : 'Save'}</span>
      </Button>
      <SelectField
        label="After saving"
        value={useObservable(afterSave)}
        options={Object.entries(AFTER_SAVE)}
        onChange={(after) => afterSave.set(after as AfterSave)}
        fullWidth={false}
      />
    </Paper>
  );
});
