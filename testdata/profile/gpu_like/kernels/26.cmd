dot fc
