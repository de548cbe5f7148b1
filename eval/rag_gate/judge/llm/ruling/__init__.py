"""What rules cannot tell of an answer, put to a model: does it make this statement, does it keep this rule?"""
