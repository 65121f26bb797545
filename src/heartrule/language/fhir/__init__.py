"""Forms and FHIR R4: ``Questionnaire`` and ``QuestionnaireResponse``, in and out. Pure functions over plain JSON.

What FHIR names otherwise is translated; what only FHIR has is kept beside the form (``fhir``) and put back; what only
we have travels in an extension of our own.
"""
