import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import type { Content, PostWithEtag } from '../../api/posts.js';
import { Failure } from '../../shell/failure.js';
import { LeaveGuard } from '../../shell/leave-guard.js';
import { plural } from '../../texts/texts.js';
import { ConflictDialog } from '../conflict/conflict-dialog.js';
import { DeletedDialog } from '../conflict/deleted-dialog.js';
import { BodyField } from './body-field.js';
import { DraftOffer } from './draft-offer.js';
import { type AfterSave, FormActions } from './form-actions.js';
import { PubDateField } from './pub-date-field.js';
import { TitleField } from './title-field.js';
import { usePostForm } from './use-post-form.js';

export interface PostFormProps {
  /** The post as it was read; undefined for a new one. */
  readonly post?: PostWithEtag;
  readonly initial: Content;
  /** Called after a save, with the next action. */
  readonly onSaved: (saved: PostWithEtag, then: AfterSave) => void;
}

/** The form of a new or existing post, with the dialogs for conflicts, drafts and unsaved input. */
export function PostForm({ post, initial, onSaved }: PostFormProps): ReactNode {
  const form = usePostForm({ post, initial, onSaved });
  const { conflict, failure, faultyFields } = form;

  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.save('list');
      }}
      sx={{
        display: 'grid',
        gap: 2.5,
        gridTemplateColumns: 'minmax(0, 1fr)',
        // The body leaves this height for what the form shows at times.
        '&:has(.MuiAlert-root)': { '--extra': '80px' },
        '&:has(.clock-change)': { '--extra': '100px' },
      }}
    >
      {failure !== undefined && <Failure error={failure} />}
      {faultyFields > 0 && (
        <Alert severity="error" role="alert">
          {plural(faultyFields, '1 field has a fault.', `${faultyFields} fields have faults.`)}
        </Alert>
      )}
      <DraftOffer drafts={form.drafts} onTake={form.takeDraft} />
      <TitleField control={form.control} isFirst={post === undefined} />
      <PubDateField control={form.control} original={form.base?.pub_date ?? ''} />
      <BodyField key={form.base?.id} control={form.control} />
      <FormActions isSaving={form.isSaving} onSave={(then) => void form.save(then)} />
      <LeaveGuard isDirty={form.isDirty} onLeave={form.drafts.remove} />
      {conflict?.kind === 'changed' && (
        <ConflictDialog
          base={conflict.base}
          mine={conflict.mine}
          theirs={conflict.theirs}
          onSave={(content) => form.settle(content, conflict.theirs, true)}
          onEdit={(content) => form.settle(content, conflict.theirs, false)}
          onClose={form.forget}
        />
      )}
      {conflict?.kind === 'deleted' && (
        <DeletedDialog onRestore={form.restore} onCreate={form.createAgain} onClose={form.forget} />
      )}
    </Box>
  );
}
